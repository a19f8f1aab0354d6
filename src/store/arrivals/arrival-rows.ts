import type { ArrivalSum, FoundArrival, KnownArrival } from '../../ledger/arrival-changes.ts'
import { arrivalOf } from '../../ledger/arrivals.ts'
import type { DateRow } from '../../ledger/dates.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

export type ArrivalsChange = Omit<Extract<BatchChange, { readonly kind: 'arrivals' }>, 'kind'>

const ROW = TABLES.arrivals.without('account')

/** The columns of an arrival of an account. */
export const ARRIVAL_COLUMNS = ROW.selected()

export type ArrivalRow = RowOf<typeof ROW>

/** The values in between are not looked at, where a date moved more often. */
const [FIRST_VALUES, LAST_VALUES] = [50, 450]

/** The condition that a row of `dates` is among the first or the last of its date. `of`: the conditions that name the date. */
export function outermostValues(of: string): string {
  return `(place <= ${FIRST_VALUES} OR place > (SELECT max(place) FROM dates WHERE ${of}) - ${LAST_VALUES})`
}

export function knownArrival({ told, ...row }: ArrivalRow): KnownArrival {
  const pairs: readonly (readonly [date: number, at: number])[] = JSON.parse(told)
  return { ...row, told: pairs.map(([date, at]) => ({ date, at })) }
}

export function arrivalRow(account: string, { arrivedAt, carrier, lane, recordedAt, shipment, told }: KnownArrival) {
  const pairs = JSON.stringify(told.map(({ at, date }) => [date, at]))
  return { account, shipment, carrier, lane, arrivedAt, recordedAt, told: pairs }
}

export function sumRow(account: string, { arrivals, carrier, lane, newest }: ArrivalSum) {
  return { account, carrier, lane, newest, arrivals }
}

/** What shipments are found to be. `rowsOf`: the values of a shipment's arrival date, newest first. */
export function foundArrivals(
  { shipments }: ArrivalsChange,
  rowsOf: (shipment: string) => readonly DateRow[],
): readonly FoundArrival[] {
  return shipments.map((state) => ({ shipment: state.id, arrival: arrivalOf(state, rowsOf(state.id)) }))
}
