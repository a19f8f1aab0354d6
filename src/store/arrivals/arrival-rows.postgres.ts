import { arrivalChanges, type ArrivalSum, countedFrom, sumAfter } from '../../ledger/arrival-changes.ts'
import { KEPT_MS } from '../../ledger/arrivals.ts'
import type { DateRow } from '../../ledger/dates.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { jsonRows } from '../server/statement-parts.ts'
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

const OF_DATE = `account = :account AND shipment = wanted.shipment AND milestone = 'arrival'`
const VALUES = new Query<DateRow & { readonly shipment: string }>(`
  SELECT wanted.shipment, value.* FROM unnest(:shipments::text[]) AS wanted (shipment) CROSS JOIN LATERAL (
    SELECT place, date, status, seen_at AS "seenAt", told_at AS "toldAt", event AS "eventId" FROM dates
    WHERE ${OF_DATE} AND ${outermostValues(OF_DATE)}
  ) AS value
  ORDER BY value.place DESC`)
const KNOWN = new Query<ArrivalRow>(`
  SELECT ${ARRIVAL_COLUMNS} FROM arrivals WHERE account = :account AND shipment = ANY(:shipments::text[])`)
const SAVE = new Query(`${TABLES.arrivals.insertAll()} ${TABLES.arrivals.instead()}`)
const DROP = new Query('DELETE FROM arrivals WHERE account = :account AND shipment = ANY(:gone::text[])')
const FORGET = new Query('DELETE FROM arrivals WHERE account = :account AND recorded_at < :before')
const SUMS = new Query<Pick<ArrivalSum, 'arrivals' | 'carrier' | 'lane'>>(`
  SELECT carrier, lane, arrivals FROM unnest(:carriers::text[], :lanes::text[]) AS wanted (carrier, lane)
    JOIN arrival_sums USING (carrier, lane)
  WHERE account = :account`)
const SAVE_SUMS = new Query(`${TABLES.arrival_sums.insertAll()} ${TABLES.arrival_sums.instead()}`)
const DROP_SUMS = new Query('DELETE FROM arrival_sums WHERE account = :account AND newest < :before')

/** Looks at shipments anew: all together, because each statement is a round trip. The account is held. */
export async function saveArrivals(tx: Transaction, account: string, change: ArrivalsChange): Promise<void> {
  const { at } = change
  const shipments = change.shipments.map(({ id }) => id)
  const values = Map.groupBy(await tx.all(VALUES, { account, shipments }), ({ shipment }) => shipment)
  const found = foundArrivals(change, (shipment) => values.get(shipment) ?? [])
  const known = (await tx.all(KNOWN, { account, shipments })).map(knownArrival)
  const { gone, moves, saved } = arrivalChanges(known, found)
  if (moves.length === 0) return
  if (gone.length > 0) await tx.run(DROP, { account, gone })
  if (saved.length > 0) await tx.run(SAVE, { rows: jsonRows(saved.map((each) => arrivalRow(account, each))) })
  const [carriers, lanes] = [moves.map(({ carrier }) => carrier), moves.map(({ lane }) => lane)]
  const sums = await tx.all(SUMS, { account, carriers, lanes })
  const after = moves.map((move) => {
    const before = sums.find(({ carrier, lane }) => carrier === move.carrier && lane === move.lane)
    return sumRow(account, sumAfter(before?.arrivals, move, at))
  })
  await tx.run(SAVE_SUMS, { rows: jsonRows(after) })
  await tx.run(FORGET, { account, before: at - KEPT_MS })
  await tx.run(DROP_SUMS, { account, before: countedFrom(at) })
}
