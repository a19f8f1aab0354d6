import { reliabilityOf } from '../../ledger/arrivals.ts'
import { ARRIVAL_COLUMNS, type ArrivalRow, knownArrival } from '../arrivals/arrival-rows.ts'
import type { ArrivalStore, ReliabilityQuery } from '../ports/arrival-port.ts'
import { chosenAccounts, type Dialect, isOfChosen } from './dialect.ts'
import type { Lookup, Reader } from './lookup.ts'

interface SumRow {
  readonly carrier: string
  readonly lane: string
  readonly arrivals: string
}

/** The statements of a dialect, prepared once, for any store of it. */
export function arrivalQueries<Source>(dialect: Dialect<Source>): (read: Reader<Source>) => ArrivalStore {
  const sums = dialect.all<SumRow>(
    `SELECT carrier, lane, arrivals FROM arrival_sums WHERE newest >= :since AND ${isOfChosen(dialect)}`,
  )
  const newest = (column: 'carrier' | 'lane') =>
    dialect.all<ArrivalRow>(`
      SELECT ${ARRIVAL_COLUMNS} FROM arrivals ${dialect.by(`arrivals_${column}`)}
      WHERE account = :account AND ${column} = :key ORDER BY recorded_at DESC LIMIT CAST(:limit AS integer)`)
  const past = { carrier: newest('carrier'), lane: newest('lane') }
  return (read) => ({
    reliability: (query) =>
      read.single(function* (source): Lookup<ReturnType<typeof reliabilityOf>> {
        const { by, since } = query
        const rows = yield* sums(source, { since, ...chosenAccounts(query) })
        const asked = rows.filter((row) => isAsked(row, query))
        return reliabilityOf(
          asked.map((row) => ({ key: row[by], arrivals: row.arrivals })),
          since,
        )
      }),
    pastArrivals: ({ account, by, key, limit }) =>
      read.single(function* (source): Lookup<ReturnType<typeof knownArrival>[]> {
        return (yield* past[by](source, { account, key, limit })).map(knownArrival)
      }),
  })
}

function isAsked(row: SumRow, { carrier, lane }: ReliabilityQuery): boolean {
  return isNamed(row.carrier, carrier) && isNamed(row.lane, lane)
}

function isNamed(value: string, wanted: string | undefined): boolean {
  return wanted === undefined || value.toLowerCase() === wanted.toLowerCase()
}
