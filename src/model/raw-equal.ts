import { isJsonArray, isJsonObject, type Json } from './json.ts'

/**
 * Whether two values are the same JSON, but for the order of keys: a cheap sufficient sign of the same meaning, which makes no
 * objects. It recurses as deep as they are nested.
 */
export function rawEqual(left: Json, right: Json): boolean {
  if (left === right) return true
  if (isJsonArray(left)) return isJsonArray(right) && sameElements(left, right)
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  for (const name in left) {
    const one = left[name]
    const other = right[name]
    // No JSON value is inherited: what is identical is the object's own.
    if (one === other) continue
    if (one === undefined || other === undefined || !Object.hasOwn(right, name) || !rawEqual(one, other)) return false
  }
  for (const name in right) if (!Object.hasOwn(left, name)) return false
  return true
}

function sameElements(left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false
  // By index: pairs of an index and an element would be made of each.
  for (let index = 0; index < left.length; index += 1) {
    if (!rawEqual(left[index] ?? null, right[index] ?? null)) return false
  }
  return true
}
