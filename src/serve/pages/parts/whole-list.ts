import { valueOf, type Address } from './address.ts'
import { noSuchPlace, ROWS_AT_ONCE } from './query.ts'

/** One page of a list. */
interface ListPart<Row> {
  readonly rows: readonly Row[]
  /** Where the next one begins, for `pager`; null: this is the last. */
  readonly next: string | null
}

/** The page of a list that is known as a whole, so that a cursor is how many rows come before. Throws `FieldProblem`. */
export function partOf<Row>(address: Address, whole: readonly Row[]): ListPart<Row> {
  const from = placeOf(address)
  const end = from + ROWS_AT_ONCE
  return { rows: whole.slice(from, end), next: whole.length > end ? String(end) : null }
}

function placeOf(address: Address): number {
  const cursor = valueOf(address, 'cursor')
  if (cursor === null) return 0
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor)
  throw noSuchPlace()
}
