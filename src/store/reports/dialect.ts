import type { Delivery } from '../../model/delivery.ts'
import type { LedgerRow } from '../deliveries/ledger-rows.ts'
import type { Lookup } from './lookup.ts'

/** Of a statement's `:names`. A list is what `isOneOf` looks in. */
export type Values = Readonly<Record<string, string | number | null | readonly string[] | readonly number[]>>

/** Asks a store for the rows of a statement. */
export type Ask<Source, Row> = (source: Source, values?: Values) => Lookup<readonly Row[]>

/** What the statements of reports are written with, and where reports look elsewhere. `Source`: what one read transaction asks. */
export interface Dialect<Source> {
  /** A statement that is prepared once. */
  readonly all: <Row>(sql: string) => Ask<Source, Row>
  /** Of two texts, the one of this dialect. */
  readonly only: (texts: { readonly sqlite: string; readonly postgres: string }) => string
  /** The condition that a column has one of the values of the list `:name`. */
  readonly isOneOf: (column: string, name: string, type: 'text' | 'bigint') => string
  /** For SQLite, whose planner knows no amounts: the index that is used. */
  readonly by: (index: string) => string
  /** A join whose left side is looked at first. PostgreSQL finds that by itself. */
  readonly thenJoin: 'CROSS JOIN' | 'JOIN'

  deliveries(source: Source, refs: readonly number[]): Lookup<ReadonlyMap<number, LedgerRow>>
  delivery(source: Source, id: string): Lookup<Delivery | null>
  endpointNames(source: Source): Lookup<readonly string[]>
  lowerBoundSince(source: Source, at: number): Lookup<number>
}

/** The first row of a statement. */
export function* first<Row>(rows: Lookup<readonly Row[]>): Lookup<Row | undefined> {
  return (yield* rows)[0]
}
