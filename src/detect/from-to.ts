import { field, type JsonObject } from '../model/json.ts'
import type { Comparison } from './comparison.ts'

/** A field as it was and as it is, as sent; null where absent. */
export function fromTo({ before, after }: Comparison, name: string): JsonObject {
  return { from: field(before, name) ?? null, to: field(after, name) ?? null }
}
