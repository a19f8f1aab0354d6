import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { CalendarStore, DueRecord, SettleStore, SettlingRecord } from '../ports/record-port.ts'

const DUE = new Query<DueRecord>(`
  SELECT resource, id FROM records
  WHERE account = ? AND next_edge_at <= ? AND next_edge_at IS NOT NULL AND removed_at IS NULL
  ORDER BY next_edge_at, resource, id`)
const NEXT = new Query<{ at: number | null }>(`
  SELECT min(next_edge_at) AS at FROM records
  WHERE account = ? AND next_edge_at > ? AND next_edge_at IS NOT NULL AND removed_at IS NULL`)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = ?')
const CONFIGURE = `
  INSERT INTO accounts (account, calendar) VALUES (:account, :settings)
  ON CONFLICT DO UPDATE SET calendar = :settings`
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT_ALL = `UPDATE records SET next_edge_at = 0 WHERE account = ? AND resource IN ('invoice', 'shipment')`

export function calendarStore(db: Connection): CalendarStore {
  return {
    due: (account, until) => db.read(() => db.all(DUE, account, until)),
    nextAfter: (account, after) => db.read(() => db.one(NEXT, account, after)?.at ?? null),
    configure: (account, settings) => db.write(() => configure(db, account, settings)),
  }
}

function configure(db: Connection, account: string, settings: string): boolean {
  if (db.one(SETTINGS, account)?.calendar === settings) return false
  db.run(CONFIGURE, { account, settings })
  db.run(LOOK_AT_ALL, account)
  return true
}

/** Nothing rings either of records whose shipment is removed. */
const WAITS = `
  account = ? AND settles_at IS NOT NULL AND removed_at IS NULL AND NOT (resource = 'tracking' AND EXISTS (
    SELECT 1 FROM records AS shipment
    WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
      AND shipment.removed_at IS NOT NULL))`
const SETTLING = new Query<SettlingRecord>(`
  SELECT resource, id FROM records
  WHERE ${WAITS} AND settles_at <= ?
  ORDER BY settles_at, resource, id`)
const NEXT_SETTLING = new Query<{ at: number | null }>(`
  SELECT min(settles_at) AS at FROM records
  WHERE ${WAITS}`)

export function settleStore(db: Connection): SettleStore {
  return {
    due: (account, until) => db.read(() => db.all(SETTLING, account, until)),
    nextAt: (account) => db.read(() => db.one(NEXT_SETTLING, account)?.at ?? null),
  }
}
