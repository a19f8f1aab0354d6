import type { AdminStore } from '../admin-port.ts'
import type { Connection } from './connection.ts'
import { retryDelivery } from './retry-delivery.ts'
import { discardHeld, registerEndpoint, settleRows, shut } from './endpoint-gate.ts'
import { judgeHold } from './hold-rows.ts'

const ENABLE = `
  UPDATE endpoints SET disabled_reason = NULL, disabled_at = NULL, disabled_by = NULL, failures_in_row = 0,
    failing_since = NULL, failing_for = 0, exhausted_since = NULL
  WHERE subscription = ?`

export function adminStore(db: Connection): AdminStore {
  return {
    retry: (ids, options) =>
      db.write(() =>
        ids.reduce((pending, id) => (retryDelivery(db, id, options) === 'pending' ? pending + 1 : pending), 0),
      ),
    disable: (subscription, reason, at) => db.write(() => shut(db, { subscription, reason, at, by: 'command' })),
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

function enable(
  db: Connection,
  subscription: string,
  { at, discard }: { readonly at: number; readonly discard: boolean },
): number {
  registerEndpoint(db, subscription)
  db.run(ENABLE, subscription)
  return discard ? discardHeld(db, subscription, at) : settleRows(db, subscription, at)
}
