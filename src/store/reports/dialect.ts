import { type AccountChoice, accountsAsked } from '../../model/scope.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordDetail, RecordKey } from '../ports/record-query-port.ts'
import type { Documents, EventRow } from '../events/event-rows.ts'
import type { Key, MergedRanges, Order, Place, RangesAsked, RangeText } from './ranges.ts'
import type { Lookup, Values } from './lookup.ts'

/** Asks a store for the rows of a statement. */
export type Ask<Source, Row> = (source: Source, values?: Values) => Lookup<readonly Row[]>

/** Expressions for the key of a record. */
type RowKey = Readonly<Record<'account' | 'resource' | 'id', string>>

/** The largest of a day that comes behind a place. */
export interface SlipDay extends Place {
  readonly account: string
  readonly day: number
}

export interface SlipDaysAsked {
  readonly accounts: readonly string[]
  readonly since: number
  readonly before: Place
  /** How many days of each account. */
  readonly most: number
}

/** What the statements of reports are written with, and where reports look elsewhere. `Source`: what one read transaction asks. */
export interface Dialect<Source> {
  /** A statement that is prepared once. */
  readonly all: <Row>(sql: string) => Ask<Source, Row>
  /** Picks the text of this dialect. */
  readonly only: (texts: { readonly sqlite: string; readonly postgres: string }) => string
  /** The condition that a column has one of the values of the list `:name`. */
  readonly isOneOf: (column: string, name: string, type: 'text' | 'bigint') => string
  /** For SQLite, whose planner knows no amounts: the index that is used. */
  readonly by: (index: string) => string
  /** How many rows of an index one statement counts: in a file some milliseconds, ten where each failed for a cause of its own. */
  readonly countedAtOnce: number
  /** A join whose left side is looked at first. PostgreSQL finds that by itself. */
  readonly thenJoin: 'CROSS JOIN' | 'JOIN'

  /** The row of a record's key, for `LEFT JOIN` and `JOIN`. */
  readonly rowOfKey: (table: 'records' | 'reads', key: RowKey) => string
  /** Ranges of an index, merged. */
  readonly rangesOf: <K extends Key = number>(
    text: RangeText,
  ) => (source: Source, asked: RangesAsked<K>) => MergedRanges<K>

  records(source: Source, list: Omit<RecordKey, 'id'>, ids: readonly string[]): Lookup<ReadonlyMap<string, RecordState>>
  /** The dates of a shipment's milestones. */
  dates(source: Source, account: string, shipment: RecordState): Lookup<RecordDetail['dates']>
  documents(source: Source, rows: readonly EventRow[]): Lookup<Documents>
  /** The `sequence` of an account's last event at or before `ref`, or one between it and the next; 0 where there is none. */
  sequenceAt(source: Source, account: string, ref: number): Lookup<number>
  slipDays(source: Source, asked: SlipDaysAsked): Lookup<readonly SlipDay[]>
  lowerBoundSince(source: Source, at: number): Lookup<number>
  firstSince(source: Source, at: number): Lookup<number>
}

type Names<Source> = (source: Source, only: readonly string[] | undefined) => Lookup<readonly string[]>

/** Every account that was ever polled, or only those that are asked for. */
export function accountNames<Source>({ all }: Dialect<Source>): Names<Source> {
  return names(all(`SELECT account AS name FROM accounts WHERE account <> '' ORDER BY account`))
}

/** Every endpoint, or only those that are asked for. */
export function endpointNames<Source>({ all }: Dialect<Source>): Names<Source> {
  return names(all('SELECT subscription AS name FROM endpoints ORDER BY subscription'))
}

function names<Source>(ask: Ask<Source, { readonly name: string }>): Names<Source> {
  return function* (source, only) {
    return only ?? (yield* ask(source)).map(({ name }) => name)
  }
}

/** The condition that a row is of one of the accounts `:accounts`, where `:narrowed` is 1; `chosenAccounts` binds both. */
export function isOfChosen<Source>({ isOneOf }: Pick<Dialect<Source>, 'isOneOf'>): string {
  return `(CAST(:narrowed AS integer) = 0 OR ${isOneOf('account', 'accounts', 'text')})`
}

export function chosenAccounts(choice: AccountChoice): {
  readonly narrowed: number
  readonly accounts: readonly string[]
} {
  const accounts = accountsAsked(choice)
  return { narrowed: accounts === undefined ? 0 : 1, accounts: accounts ?? [] }
}

/** Ranges in both orders. */
export type RangesInOrder<Source, K extends Key = number> = Readonly<
  Record<Order, (source: Source, asked: RangesAsked<K>) => MergedRanges<K>>
>

export function inBothOrders<Source, K extends Key = number>(
  { rangesOf }: Pick<Dialect<Source>, 'rangesOf'>,
  text: (order: Order) => RangeText,
): RangesInOrder<Source, K> {
  return { newest: rangesOf<K>(text('newest')), oldest: rangesOf<K>(text('oldest')) }
}

/** The first row of a statement. */
export function* first<Row>(rows: Lookup<readonly Row[]>): Lookup<Row | undefined> {
  return (yield* rows)[0]
}
