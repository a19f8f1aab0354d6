import type { JsonObject } from './json.ts'

/** A subscription's `where`, ready to be judged on payloads. */
export interface Filter {
  /** As configured. */
  readonly expression: string
  /** Judges a whole payload; ends soon and never throws, whatever the payload holds. */
  judge(payload: JsonObject): FilterVerdict
}

export type FilterVerdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no match' }
  /** It could not be judged, and why: the event is delivered (contract section 4). */
  | { readonly kind: 'failed'; readonly reason: string }
