import type { Change } from '../../src/model/event.ts'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts'
import { formatPointer } from '../../src/model/pointer.ts'

type Leaf = Exclude<Json, object>

/** The scalars of a record by their JSON Pointers; null, `""`, `[]` and absence are the same. */
export function leavesOf(value: Json, path: readonly (string | number)[] = []): ReadonlyMap<string, Leaf> {
  if (value === null || value === '') return new Map()
  if (isJsonArray(value)) return new Map(value.flatMap((each, index) => [...leavesOf(each, [...path, index])]))
  if (isJsonObject(value))
    return new Map(Object.entries(value).flatMap(([name, each]) => [...leavesOf(each, [...path, name])]))
  return new Map([[formatPointer(path), value]])
}

/** The leaves of a record as they were before these changes. */
export function undone(record: Json, changes: readonly Change[]): ReadonlyMap<string, Json> {
  const leaves = new Map<string, Json>(leavesOf(record))
  for (const { from, path } of changes) {
    if (from === null) leaves.delete(path)
    else leaves.set(path, from)
  }
  return leaves
}
