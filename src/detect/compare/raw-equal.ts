import { isJsonArray, isJsonObject, type Json } from '../../model/json.ts'

/** Whether two values are the same JSON, but for the order of keys: a cheap sufficient sign of the same meaning. */
export function rawEqual(left: Json, right: Json): boolean {
  if (left === right) return true
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) && left.length === right.length && left.every((each, i) => rawEqual(each, right[i] ?? null))
    )
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && rawEqual(left[key] ?? null, right[key] ?? null))
}
