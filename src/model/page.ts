/** A part of a list, in its order. */
export interface Page<T> {
  /** At most as many as were asked for; fewer, or none, do not mean that nothing follows. */
  readonly items: readonly T[]
  /** Where the next part begins, opaque; null: nothing follows. */
  readonly next: string | null
}

export interface PageQuery {
  readonly limit: number
  /** `next` of the part before; left out: from the first. */
  readonly cursor?: string
}
