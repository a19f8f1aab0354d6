import { DUE, EVER, SETTLING, CHOSEN_FROM, type ShipmentRow, SLICE, type Tracked, Tracking } from './due-store.ts'
import type { CalendarStore, DueRecord, RecordStore } from '../ports/record-port.ts'
import { lockAccounts } from '../accounts/accounts.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { POSTGRES, type ReportSource } from '../reports/dialect.postgres.ts'
import { awaited } from '../reports/lookup.ts'

const EDGES = new Query<DueRecord>(DUE)
const HELD = new Query<DueRecord>(SETTLING)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = :account')
const CONFIGURE = new Query('UPDATE accounts SET calendar = :settings WHERE account = :account')
/** Records that become due at once: some hundred milliseconds. */
const LOOKED_AT = 5_000
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT = new Query<{ last: string | null }>(`
  WITH slice AS (
    SELECT ref, id FROM records WHERE account = :account AND resource = :resource AND (:after::text IS NULL OR id > :after)
    ORDER BY id LIMIT ${LOOKED_AT}
  ), looked AS (
    UPDATE records SET next_edge_at = 0 FROM slice WHERE records.ref = slice.ref AND next_edge_at IS DISTINCT FROM 0
  )
  SELECT max(id) AS last FROM slice`)

function calendarStore(db: Database): CalendarStore {
  return {
    due: async (account, query) => await db.all(EDGES, { account, ...EVER, ...query }),
    configure: async (account, settings) => await configure(db, account, settings),
  }
}

/**
 * Works in slices, because other workers wait for the rows that it holds, and writes the settings last: whoever dies before begins
 * again.
 */
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

const TRACKING = new Tracking(
  tracked('closed_at IS NULL AND shipment.id > :id', 'shipment.id'),
  tracked('(closed_at, shipment.id) > (:closedAt, :id)', 'closed_at, shipment.id'),
)

/** Cuts shipments before they are joined with anything, because the planner would join all of them first. */
function tracked(after: string, order: string): Tracked<ReportSource> {
  const shipments = (limit: string): string => `(
    SELECT id, closed_at, phase, phase_until FROM records AS shipment
    WHERE account = :account AND resource = 'shipment' AND removed_at IS NULL AND ${after} ORDER BY ${order} LIMIT ${limit}
  ) AS shipment`
  const withRead = `LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id`
  const items = POSTGRES.all<ShipmentRow>(`
    SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until FROM ${shipments(`${CHOSEN_FROM}`)} ${withRead}
    WHERE tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now
    ORDER BY tracking.sent_at NULLS FIRST, shipment.id LIMIT :limit`)
  return {
    end: POSTGRES.all(`
      SELECT id AS "shipmentId", closed_at AS "closedAt" FROM ${shipments(`1 OFFSET ${CHOSEN_FROM - 1}`)}`),
    upToEnd: items,
    last: items,
    slice: POSTGRES.all(`
      SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until
      FROM ${shipments(`${SLICE}`)} ${withRead} ORDER BY ${order}`),
  }
}

/** What of an account's records is due. */
export function dueStore(db: Database): Pick<RecordStore, 'trackedShipments' | 'calendar' | 'settling'> {
  return {
    calendar: calendarStore(db),
    settling: { due: async (account, query) => await db.all(HELD, { account, ...EVER, ...query }) },
    trackedShipments: (account, query) =>
      db.read(async (tx) => await awaited(TRACKING.shipments({ db, tx }, account, query))),
  }
}
