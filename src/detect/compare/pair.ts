import type { Json } from '../../model/json.ts'

/** An element of an array of the record. */
export interface Element {
  readonly index: number
  readonly value: Json
  /** Elements with different keys are never partners; null: may be any other. */
  readonly key: string | null
  /** The outer element it sits in, where partners are sought across outer elements. */
  readonly owner: Element | null
  /** A number that elements share whose outer elements are partners; null where there are none. */
  readonly home: number | null
}

/** An element as it was and as it is; null on the side where there is none. */
export interface Pair {
  /** Names the element whatever its index; `*` where nothing does. */
  readonly key: string
  readonly before: Element | null
  readonly after: Element | null
  /** The pairs of the elements that sit in `after`, where partners are sought across outer elements. */
  readonly inner?: readonly Pair[]
}

/** Key of the elements of a multiset: any may be any other's partner. */
export const ANY = '*'

export function makePair(before: Element | null, after: Element | null): Pair {
  return { key: after?.key ?? before?.key ?? ANY, before, after }
}
