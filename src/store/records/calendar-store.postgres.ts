import { DUE, EVER, SETTLING } from './calendar-store.ts'
import type { CalendarStore, DueRecord, SettleStore } from '../ports/record-port.ts'
import { lockAccounts } from '../accounts/accounts.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const EDGES = new Query<DueRecord>(DUE)
const HELD = new Query<DueRecord>(SETTLING)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = :account')
const CONFIGURE = new Query('UPDATE accounts SET calendar = :settings WHERE account = :account')
/** Records that become due at once: some hundred milliseconds. */
const SLICE = 5_000
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT = new Query<{ last: string | null }>(`
  WITH slice AS (
    SELECT ref, id FROM records WHERE account = :account AND resource = :resource AND (:after::text IS NULL OR id > :after)
    ORDER BY id LIMIT ${SLICE}
  ), looked AS (
    UPDATE records SET next_edge_at = 0 FROM slice WHERE records.ref = slice.ref AND next_edge_at IS DISTINCT FROM 0
  )
  SELECT max(id) AS last FROM slice`)

export function calendarStore(db: Database): CalendarStore {
  return {
    due: async (account, query) => await db.all(EDGES, { account, ...EVER, ...query }),
    configure: async (account, settings) => await configure(db, account, settings),
  }
}

/** Works in slices, because other workers wait for the rows that it holds, and writes the settings last: whoever dies before begins again. */
async function configure(db: Database, account: string, settings: string): Promise<boolean> {
  if ((await db.one(SETTINGS, { account }))?.calendar === settings) return false
  for (const resource of ['invoice', 'shipment']) {
    let after: string | null = null
    do {
      const list: Slice = { account, resource, after }
      after = await db.write(async (tx) => await lookAt(tx, list))
    } while (after !== null)
  }
  await db.write(async (tx) => {
    await lockAccounts(tx, [account])
    await tx.run(CONFIGURE, { account, settings })
  })
  return true
}

interface Slice {
  readonly account: string
  readonly resource: string
  readonly after: string | null
}

/** Returns the last id of the slice; null: none was left. */
async function lookAt(tx: Transaction, slice: Slice): Promise<string | null> {
  await lockAccounts(tx, [slice.account])
  return (await tx.one(LOOK_AT, { ...slice }))?.last ?? null
}

export function settleStore(db: Database): SettleStore {
  return {
    due: async (account, query) => await db.all(HELD, { account, ...EVER, ...query }),
  }
}
