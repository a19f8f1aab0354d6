import { EVER } from './calendar-store.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { CalendarStore, DueRecord, SettleStore } from '../ports/record-port.ts'

const DUE = new Query<DueRecord>(`
  SELECT resource, id, next_edge_at AS at FROM records
  WHERE account = :account AND next_edge_at > :after AND next_edge_at <= :until AND next_edge_at IS NOT NULL
    AND removed_at IS NULL
  ORDER BY next_edge_at, resource, id LIMIT :most`)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = ?')
const CONFIGURE = `
  INSERT INTO accounts (account, calendar) VALUES (:account, :settings)
  ON CONFLICT DO UPDATE SET calendar = :settings`
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT_ALL = `UPDATE records SET next_edge_at = 0 WHERE account = ? AND resource IN ('invoice', 'shipment')`

export function calendarStore(db: Connection): CalendarStore {
  return {
    due: (account, query) => db.read(() => db.all(DUE, { account, ...EVER, ...query })),
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
  account = :account AND settles_at IS NOT NULL AND removed_at IS NULL AND NOT (resource = 'tracking' AND EXISTS (
    SELECT 1 FROM records AS shipment
    WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
      AND shipment.removed_at IS NOT NULL))`
const SETTLING = new Query<DueRecord>(`
  SELECT resource, id, settles_at AS at FROM records
  WHERE ${WAITS} AND settles_at > :after AND settles_at <= :until
  ORDER BY settles_at, resource, id LIMIT :most`)

export function settleStore(db: Connection): SettleStore {
  return {
    due: (account, query) => db.read(() => db.all(SETTLING, { account, ...EVER, ...query })),
  }
}
