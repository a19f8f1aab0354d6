import { arrivalChanges, type ArrivalSum, countedFrom, sumAfter } from '../../ledger/arrival-changes.ts'
import { KEPT_MS } from '../../ledger/arrivals.ts'
import type { DateRow } from '../../ledger/dates.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { TABLES } from '../tables/tables.ts'
import {
  ARRIVAL_COLUMNS,
  arrivalRow,
  type ArrivalRow,
  type ArrivalsChange,
  foundArrivals,
  knownArrival,
  outermostValues,
  sumRow,
} from './arrival-rows.ts'

const OF_DATE = `account = CAST(:account AS TEXT) AND shipment = CAST(:shipment AS TEXT) AND milestone = 'arrival'`
const VALUES = new Query<DateRow>(`
  SELECT place, date, status, seen_at AS seenAt, told_at AS toldAt, event AS eventId FROM dates
  WHERE ${OF_DATE} AND ${outermostValues(OF_DATE)} ORDER BY place DESC`)
const KNOWN = new Query<ArrivalRow>(`SELECT ${ARRIVAL_COLUMNS} FROM arrivals WHERE account = ? AND shipment = ?`)
const SAVE = TABLES.arrivals.upsert
const DROP = 'DELETE FROM arrivals WHERE account = ? AND shipment = ?'
const FORGET = 'DELETE FROM arrivals WHERE account = ? AND recorded_at < ?'
const SUM = new Query<Pick<ArrivalSum, 'arrivals'>>(
  'SELECT arrivals FROM arrival_sums WHERE account = ? AND carrier = ? AND lane = ?',
)
const SAVE_SUM = TABLES.arrival_sums.upsert
const DROP_SUMS = 'DELETE FROM arrival_sums WHERE account = ? AND newest < ?'

/** Looks at shipments anew. Runs inside the caller's write transaction; one by one, because a look of SQLite is no round trip. */
export function saveArrivals(db: Connection, account: string, change: ArrivalsChange): void {
  const { at, shipments } = change
  const found = foundArrivals(change, (shipment) => db.all(VALUES, { account, shipment }))
  const known = shipments.flatMap(({ id }) => db.all(KNOWN, account, id)).map(knownArrival)
  const { gone, moves, saved } = arrivalChanges(known, found)
  for (const shipment of gone) db.run(DROP, account, shipment)
  for (const arrival of saved) db.run(SAVE, arrivalRow(account, arrival))
  for (const move of moves) {
    const before = db.one(SUM, account, move.carrier, move.lane)
    db.run(SAVE_SUM, sumRow(account, sumAfter(before?.arrivals, move, at)))
  }
  if (moves.length === 0) return
  db.run(FORGET, account, at - KEPT_MS)
  db.run(DROP_SUMS, account, countedFrom(at))
}
