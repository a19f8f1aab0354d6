import { DUE, EVER, SETTLING, CHOSEN_FROM, SLICE, type ShipmentRow, type Tracked, Tracking } from './due-store.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { CalendarStore, DueRecord, RecordStore } from '../ports/record-port.ts'
import { SQLITE } from '../reports/dialect.sqlite.ts'
import { atOnce } from '../reports/lookup.ts'

const EDGES = new Query<DueRecord>(DUE)
const HELD = new Query<DueRecord>(SETTLING)
const SETTINGS = new Query<{ calendar: string | null }>('SELECT calendar FROM accounts WHERE account = ?')
const CONFIGURE = `
  INSERT INTO accounts (account, calendar) VALUES (:account, :settings)
  ON CONFLICT DO UPDATE SET calendar = :settings`
// The beginning of 1970, which is in the past by every calendar.
const LOOK_AT_ALL = `UPDATE records SET next_edge_at = 0 WHERE account = ? AND resource IN ('invoice', 'shipment')`

function calendarStore(db: Connection): CalendarStore {
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

const TRACKING = new Tracking(
  tracked('closed_at IS NULL AND shipment.id > :id', { upToEnd: 'AND shipment.id <= :endId', order: 'shipment.id' }),
  tracked('(closed_at, shipment.id) > (:closedAt, :id)', {
    upToEnd: 'AND (closed_at, shipment.id) <= (:endClosedAt, :endId)',
    order: 'closed_at, shipment.id',
  }),
)

/** Cuts by ranges of the index that it is told of, because SQLite does not choose one by how many shipments there are. */
function tracked(
  after: string,
  { order, upToEnd }: { readonly upToEnd: string; readonly order: string },
): Tracked<Connection> {
  const shipments = 'records AS shipment INDEXED BY records_tracked'
  const withRead = `${shipments} LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id`
  const those = `shipment.account = :account AND shipment.resource = 'shipment' AND removed_at IS NULL AND ${after}`
  // By the index alone, which has no phases: only the rows of those that are chosen are read.
  const items = (range: string): string => `
    SELECT id, due.sent_at, closed_at, phase, phase_until
    FROM (
      SELECT shipment.ref, tracking.sent_at FROM ${withRead}
      WHERE ${those} ${range} AND (tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now)
      ORDER BY tracking.sent_at NULLS FIRST, shipment.id LIMIT :limit
    ) AS due CROSS JOIN records USING (ref) ORDER BY due.sent_at NULLS FIRST, id`
  return {
    end: SQLITE.all(`
      SELECT shipment.id AS shipmentId, closed_at AS closedAt FROM ${shipments}
      WHERE ${those} ORDER BY ${order} LIMIT 1 OFFSET ${CHOSEN_FROM - 1}`),
    upToEnd: SQLITE.all<ShipmentRow>(items(upToEnd)),
    last: SQLITE.all<ShipmentRow>(items('')),
    slice: SQLITE.all(`
      SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until FROM ${withRead}
      WHERE ${those} ORDER BY ${order} LIMIT ${SLICE}`),
  }
}

/** What of an account's records is due. */
export function dueStore(db: Connection): Pick<RecordStore, 'trackedShipments' | 'calendar' | 'settling'> {
  return {
    calendar: calendarStore(db),
    settling: { due: (account, query) => db.read(() => db.all(HELD, { account, ...EVER, ...query })) },
    trackedShipments: (account, query) => db.read(() => atOnce(TRACKING.shipments(db, account, query))),
  }
}
