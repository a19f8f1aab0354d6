import { formatInstant } from '../../model/instant.ts'
import type { JsonObject } from '../../model/json.ts'

/** `at`: the edge's instant; `late_by`: whole minutes between it and the ringing, left out below one. */
export function punctuality(at: number, now: number): JsonObject {
  const minutes = Math.floor((now - at) / 60_000)
  return minutes < 1 ? { at: formatInstant(at) } : { at: formatInstant(at), late_by: minutes }
}
