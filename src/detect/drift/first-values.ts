import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import type { RecordMemory } from '../../model/record-state.ts'
import type { LeafChange } from '../compare/leaf-change.ts'

/** Two readings of a record, and the paths that are absorbed. */
export interface Absorption {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly absorbed: readonly string[]
  readonly memory: RecordMemory
}

/** The leaves without those that are a record's first value of an absorbed field. */
export function withoutFirstValues(leaves: readonly LeafChange[], input: Absorption): readonly LeafChange[] {
  const { absorbed, before, memory } = input
  if (absorbed.length === 0 || leaves.length === 0) return leaves
  const unheld = absorbed
    .filter((path) => memory.lostFields?.includes(path) !== true)
    .map(parsePointer)
    .filter((steps) => !saysSomethingAt(before, steps))
  return leaves.filter(({ path }) => !unheld.some((steps) => leadsTo(steps, parsePointer(path))))
}

/** Remembers the absorbed fields that a record had and has no longer: their next value is not the first. */
export function rememberLostFields({ absorbed, after, before, memory }: Absorption): RecordMemory {
  const known = memory.lostFields ?? []
  const lost = absorbed.filter((path) => {
    if (known.includes(path)) return false
    const steps = parsePointer(path)
    return saysSomethingAt(before, steps) && !saysSomethingAt(after, steps)
  })
  return lost.length === 0 ? memory : { ...memory, lostFields: [...known, ...lost] }
}

function leadsTo(steps: readonly string[], path: readonly string[]): boolean {
  return steps.length <= path.length && steps.every((step, index) => step === ANY_ELEMENT || step === path[index])
}

/** Stands for any element of an array. */
export const ANY_ELEMENT = '*'

/** Whether a value says anything: null, '' and what is empty or holds nothing else is as good as missing (guarantee D2). */
export function saysSomething(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.some(saysSomething)
  if (isJsonObject(value)) return Object.values(value).some(saysSomething)
  return value !== undefined && value !== null && value !== ''
}

/** Whether a record says something at a path, in any element where the path runs through arrays. */
function saysSomethingAt(value: Json | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return saysSomething(value)
  if (step !== ANY_ELEMENT) return saysSomethingAt(field(value, step), rest)
  return isJsonArray(value) && value.some((element) => saysSomethingAt(element, rest))
}
