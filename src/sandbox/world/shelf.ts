import type { JsonObject } from '../../model/json.ts'

/** Records of one kind, at any simulated time. */
export interface Shelf {
  /** In an order that time does not turn round: mostly newest first. */
  page(slice: Slice, time: number): readonly JsonObject[]
  /** null: there is none with that id, or not yet. */
  find(id: string, time: number): JsonObject | null
}

/** Part of a list, of query parameters `skip` and `take`. */
export interface Slice {
  readonly skip: number
  readonly take: number
}
