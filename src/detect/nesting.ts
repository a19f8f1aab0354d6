import type { Json } from '../model/json.ts'

/** Records nested deeper are not believed; every recursion of this room is bounded by it. */
const DEEPEST = 100

export function isTooDeep(record: Json): boolean {
  return exceeds(record, DEEPEST)
}

function exceeds(value: Json, room: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (room === 0) return true
  for (const each of Object.values(value)) if (exceeds(each, room - 1)) return true
  return false
}
