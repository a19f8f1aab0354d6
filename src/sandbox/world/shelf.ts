import type { JsonObject } from '../../model/json.ts'

/** Records of one kind, at any simulated time. */
export interface Shelf {
  /** A slice of the list in an order that time does not turn round: mostly newest first. */
  page(slice: Slice, time: number): readonly JsonObject[]
  /** The record with an id; null: there is none, or not yet. */
  find(id: string, time: number): JsonObject | null
}

/** Part of a list, of query parameters `skip` and `take`. */
export interface Slice {
  readonly skip: number
  readonly take: number
}
