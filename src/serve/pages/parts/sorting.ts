import { link, PLACE, valueOf, type Address } from './address.ts'

/** How a column of a list leads to the list in its order. */
export interface ColumnSort {
  readonly href: string
  /** The order that the list is in by this column; null: it is in another one. */
  readonly order: 'ascending' | 'descending' | null
}

/** Sorts by a name of `sort`, `-` before it for the other way; asked again, the way round. `usual`: what the list is sorted by unasked. */
export function sortBy(
  address: Address,
  name: string,
  { isLargestFirst = false, usual }: { readonly isLargestFirst?: boolean; readonly usual: string },
): ColumnSort {
  const current = valueOf(address, 'sort') ?? usual
  const order = current === name ? 'ascending' : current === `-${name}` ? 'descending' : null
  const first = isLargestFirst ? `-${name}` : name
  const next = current === first ? (isLargestFirst ? name : `-${name}`) : first
  return { href: link(address, { ...PLACE, sort: next === usual ? null : next }), order }
}
