import type { DeliveryState } from '../../model/delivery.ts'
import type { AdminStore } from '../ports.ts'
import type { Connection } from './connection.ts'
import { discardHeld, isOpen, registerEndpoint, settleRows, shut } from './endpoint-gate.ts'
import { judgeHold } from './hold-rows.ts'
import { Query } from './query.ts'

const FIND = new Query<Row>('SELECT ref, subscription, state FROM deliveries WHERE id = ?')
const ENABLE = `
  UPDATE endpoints SET disabled_reason = NULL, disabled_at = NULL, failures_in_row = 0, failing_since = NULL
  WHERE subscription = ?`
// A row whose attempt is under way keeps its claim: it is due again when that ends.
const RETRY = `
  UPDATE deliveries SET state = :state, round = 0, next_attempt_at = :at, finished_at = NULL,
    wake_at = CASE WHEN claimed_by IS NULL THEN :at ELSE wake_at END
  WHERE ref = :ref`

export function adminStore(db: Connection): AdminStore {
  return {
    retry: (ids, options) =>
      db.write(() => ids.reduce((pending, id) => (retry(db, id, options) ? pending + 1 : pending), 0)),
    disable: (subscription, reason, at) => db.write(() => shut(db, { subscription, reason, at })),
    enable: (subscription, options) => db.write(() => enable(db, subscription, options)),
    discard: (subscription, at) => db.write(() => discardHeld(db, subscription, at)),
    judgeHold: (account, resource, verdict) => db.write(() => judgeHold(db, { account, resource }, verdict)),
    assertWritable: async () => probe(db),
  }
}

/** Writes a row, for a refusal to show. */
export function probe(db: Connection): void {
  db.transact('BEGIN IMMEDIATE', () => db.run('UPDATE liveness SET checks = checks + 1'))
}

interface Row {
  readonly ref: number
  readonly subscription: string
  readonly state: DeliveryState
}

/** Whether the row is pending now. Where the endpoint is shut it is held, and so sent once that opens. */
function retry(db: Connection, id: string, options: { readonly at: number; readonly delivered: boolean }): boolean {
  const row = db.one(FIND, id)
  if (row === undefined || (row.state === 'delivered' && !options.delivered)) return false
  const open = isOpen(db, row.subscription)
  db.run(RETRY, { ref: row.ref, state: open ? 'pending' : 'held', at: open ? options.at : null })
  return open
}

function enable(
  db: Connection,
  subscription: string,
  { at, discard }: { readonly at: number; readonly discard: boolean },
): number {
  registerEndpoint(db, subscription)
  db.run(ENABLE, subscription)
  return discard ? discardHeld(db, subscription, at) : settleRows(db, subscription, at)
}
