import { DUE, EVER, SETTLING } from './calendar-store.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { CalendarStore, DueRecord, SettleStore } from '../ports/record-port.ts'

const EDGES = new Query<DueRecord>(DUE)
const HELD = new Query<DueRecord>(SETTLING)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = ?')
const CONFIGURE = `
  INSERT INTO accounts (account, calendar) VALUES (:account, :settings)
  ON CONFLICT DO UPDATE SET calendar = :settings`
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT_ALL = `UPDATE records SET next_edge_at = 0 WHERE account = ? AND resource IN ('invoice', 'shipment')`

export function calendarStore(db: Connection): CalendarStore {
  return {
    due: (account, query) => db.read(() => db.all(EDGES, { account, ...EVER, ...query })),
    configure: (account, settings) => db.write(() => configure(db, account, settings)),
  }
}

/** At once, because one statement of a file is over before anybody waits for long. */
function configure(db: Connection, account: string, settings: string): boolean {
  if (db.one(SETTINGS, account)?.calendar === settings) return false
  db.run(CONFIGURE, { account, settings })
  db.run(LOOK_AT_ALL, account)
  return true
}

export function settleStore(db: Connection): SettleStore {
  return {
    due: (account, query) => db.read(() => db.all(HELD, { account, ...EVER, ...query })),
  }
}
