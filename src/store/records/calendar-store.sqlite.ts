import type { CalendarStore, DueRecord } from '../ports/record-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

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
