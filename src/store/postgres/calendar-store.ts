import type { CalendarStore, DueRecord, SettleStore, SettlingRecord } from '../record-port.ts'
import { lockAccounts } from './account-lock.ts'
import type { Database, Transaction } from './database.ts'
import { Query } from './query.ts'

const DUE = new Query<DueRecord>(`
  SELECT resource, id FROM records
  WHERE account = :account AND next_edge_at <= :until AND next_edge_at IS NOT NULL AND removed_at IS NULL
  ORDER BY next_edge_at, resource, id`)
const NEXT = new Query<{ at: number }>(`
  SELECT next_edge_at AS at FROM records
  WHERE account = :account AND next_edge_at > :after AND next_edge_at IS NOT NULL AND removed_at IS NULL
  ORDER BY next_edge_at LIMIT 1`)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = :account')
const CONFIGURE = new Query('UPDATE accounts SET calendar = :settings WHERE account = :account')
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT_ALL = new Query(
  `UPDATE records SET next_edge_at = 0 WHERE account = :account AND resource IN ('invoice', 'shipment')`,
)

export function calendarStore(db: Database): CalendarStore {
  return {
    due: async (account, until) => await db.all(DUE, { account, until }),
    nextAfter: async (account, after) => (await db.one(NEXT, { account, after }))?.at ?? null,
    configure: async (account, settings) => await db.write(async (tx) => await configure(tx, account, settings)),
  }
}

async function configure(tx: Transaction, account: string, settings: string): Promise<boolean> {
  await lockAccounts(tx, [account])
  if ((await tx.one(SETTINGS, { account }))?.calendar === settings) return false
  await tx.run(CONFIGURE, { account, settings })
  await tx.run(LOOK_AT_ALL, { account })
  return true
}

/** Nothing rings either of records whose shipment is removed. */
const WAITS = `
  account = :account AND settles_at IS NOT NULL AND removed_at IS NULL AND NOT (resource = 'tracking' AND EXISTS (
    SELECT 1 FROM records AS shipment
    WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
      AND shipment.removed_at IS NOT NULL))`
const SETTLING = new Query<SettlingRecord>(`
  SELECT resource, id FROM records WHERE ${WAITS} AND settles_at <= :until ORDER BY settles_at, resource, id`)
const NEXT_SETTLING = new Query<{ at: number }>(
  `SELECT settles_at AS at FROM records WHERE ${WAITS} ORDER BY settles_at LIMIT 1`,
)

export function settleStore(db: Database): SettleStore {
  return {
    due: async (account, until) => await db.all(SETTLING, { account, until }),
    nextAt: async (account) => (await db.one(NEXT_SETTLING, { account }))?.at ?? null,
  }
}
