import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'

/** The parts of a value that are no change, each as the way to it; the empty way is the whole value. */
export type IgnoredPart = readonly (readonly string[])[]

const ANY = '*'
const INDEX = /^\d+$/

/** The part of a record that JSON Pointers ignore, in which `*` stands for any element or key. */
export function ignoredPart(pointers: readonly string[]): IgnoredPart {
  return pointers.map(parsePointer)
}

export function isWhole(part: IgnoredPart): boolean {
  return part.some((way) => way.length === 0)
}

/** What is ignored of the field of this name. */
export function ofField(part: IgnoredPart, name: string): IgnoredPart {
  return part.filter(([step]) => step === ANY || step === name).map((way) => way.slice(1))
}

/** What is ignored of the fields that no way names. */
export function ofOtherFields(part: IgnoredPart): IgnoredPart {
  return ofField(part, ANY)
}

/** What is ignored of an array's elements. They have no lasting places, so an index stands for any of them too. */
export function ofElements(part: IgnoredPart): IgnoredPart {
  return part.filter(([step]) => step === ANY || (step !== undefined && INDEX.test(step))).map((way) => way.slice(1))
}

export function namedIn(part: IgnoredPart): readonly string[] {
  return part.flatMap(([step]) => (step === undefined || step === ANY ? [] : [step]))
}

/** A record without what is ignored of it. */
export function recordWithout(record: JsonObject, part: IgnoredPart): JsonObject {
  const rest = without(record, part)
  return isJsonObject(rest) ? rest : {}
}

/** The value without what is ignored of it; elements keep their places. */
export function without(value: Json, part: IgnoredPart): Json {
  if (part.length === 0) return value
  if (isWhole(part)) return null
  if (isJsonArray(value)) {
    const inner = ofElements(part)
    return inner.length === 0 ? value : value.map((element) => without(element, inner))
  }
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, each]) => ({ name, each, inner: ofField(part, name) }))
  const partly = fields.filter(({ inner }) => !isWhole(inner))
  return Object.fromEntries(partly.map(({ name, each, inner }) => [name, without(each, inner)]))
}
