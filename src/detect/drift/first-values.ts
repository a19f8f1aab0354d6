import type { JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import type { RecordMemory } from '../../model/record-state.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import { ANY_ELEMENT, saysSomethingAt } from './pattern-value.ts'

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
