import type { Reliability } from '../../model/reliability.ts'
import type { KnownArrival } from '../../ledger/arrival-changes.ts'
import type { AccountChoice } from '../../model/scope.ts'

/** Arrivals of which a date was told before, as commits keep them (`BatchChange` `arrivals`). */
export interface ArrivalStore {
  /** How well dates were kept, by carrier or by lane, in no order: sums are kept, so that nothing is counted row by row. */
  reliability(query: ReliabilityQuery): Promise<readonly Reliability[]>

  /** Arrivals of one carrier or lane of an account, the one that was recorded last first. */
  pastArrivals(query: PastArrivalsQuery): Promise<readonly KnownArrival[]>
}

export interface ReliabilityQuery extends AccountChoice {
  readonly by: 'carrier' | 'lane'
  /** Arrivals at or after. */
  readonly since: number
  /** Only arrivals by this carrier, whatever its case. */
  readonly carrier?: string
  /** Only arrivals on this lane, `CNSHA-NLRTM`, whatever its case. */
  readonly lane?: string
}

export interface PastArrivalsQuery {
  readonly account: string
  readonly by: 'carrier' | 'lane'
  readonly key: string
  readonly limit: number
}
