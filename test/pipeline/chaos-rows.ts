import Sqlite from 'better-sqlite3'

export interface ChaosRow {
  readonly subscription: string
  /** Of the event. */
  readonly id: string
  readonly state: string
  /** 1 where an attempt is recorded that was answered 2xx. */
  readonly answered: number
}

export interface ChaosRows {
  readonly integrity: unknown
  /** Of shipments. */
  readonly events: readonly string[]
  /** Types of the others: what Shipbell says of endpoints and the account, which nobody subscribed to. */
  readonly others: readonly string[]
  readonly rows: readonly ChaosRow[]
}

const ROWS = `SELECT d.subscription, e.id, d.state,
    EXISTS (SELECT 1 FROM attempts a WHERE a.delivery = d.ref AND a.status BETWEEN 200 AND 299) AS answered
  FROM deliveries d JOIN events e ON e.ref = d.event`

/** Events and rows of a store that nobody writes to; throws where it does not open. */
export function chaosRows(file: string): ChaosRows {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return {
      integrity: sqlite.pragma('integrity_check', { simple: true }),
      events: sqlite
        .prepare<[], string>(`SELECT id FROM events WHERE resource = 'shipment' ORDER BY ref`)
        .pluck()
        .all(),
      others: sqlite.prepare<[], string>(`SELECT type FROM events WHERE resource <> 'shipment'`).pluck().all(),
      rows: sqlite.prepare<[], ChaosRow>(ROWS).all(),
    }
  } finally {
    sqlite.close()
  }
}
