import type { SettleStore, SettlingRecord } from '../ports/record-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

/** Nothing rings either of records whose shipment is removed. */
const WAITS = `
  account = ? AND settles_at IS NOT NULL AND removed_at IS NULL AND NOT (resource = 'tracking' AND EXISTS (
    SELECT 1 FROM records AS shipment
    WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
      AND shipment.removed_at IS NOT NULL))`
const DUE = new Query<SettlingRecord>(`
  SELECT resource, id FROM records
  WHERE ${WAITS} AND settles_at <= ?
  ORDER BY settles_at, resource, id`)
const NEXT = new Query<{ at: number | null }>(`
  SELECT min(settles_at) AS at FROM records
  WHERE ${WAITS}`)

export function settleStore(db: Connection): SettleStore {
  return {
    due: (account, until) => db.read(() => db.all(DUE, account, until)),
    nextAt: (account) => db.read(() => db.one(NEXT, account)?.at ?? null),
  }
}
