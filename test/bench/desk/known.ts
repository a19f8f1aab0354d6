import Sqlite from 'better-sqlite3'
import type { DeskSize } from './desk-size.ts'
import type { Known } from './questions.ts'

interface Example {
  readonly account: string
  readonly shipment: string
  readonly event: string
  readonly sequence: number
  readonly delivery: string
  readonly at: number
  readonly ref: number
  readonly row: number
}

/** Names that the questions need, looked up in the store before the daemon opens it. */
export function knownOf(path: string, size: DeskSize, now: number): Known {
  const db = new Sqlite(path)
  try {
    const example = db
      .prepare<[number], Example>(
        `SELECT event.account, subject_id AS shipment, event.id AS event, sequence, delivery.id AS delivery, stored_at AS at,
           event.ref, delivery.ref AS row
         FROM events AS event JOIN deliveries AS delivery ON delivery.event = event.ref
           JOIN records AS tracking ON tracking.account = event.account AND tracking.resource = 'tracking' AND tracking.id = subject_id
         WHERE event.ref >= (SELECT (min(ref) + max(ref)) / 2 FROM events) AND type = 'shipment.eta_changed' AND event.account = 'large'
           AND delivery.subscription = 'erp' ORDER BY event.ref LIMIT ?`,
      )
      .get(1)
    if (example === undefined) throw new Error('the store holds no such event')
    const { account, at, delivery, event, ref, row, sequence, shipment } = example
    return {
      size,
      now,
      account,
      shipment,
      event,
      sequence,
      delivery,
      halfway: { at, event: ref, delivery: row, record: 1 },
    }
  } finally {
    db.close()
  }
}
