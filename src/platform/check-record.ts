import type { z } from 'zod'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { formatPointer, resolvePointer } from '../model/pointer.ts'
import { MOST_FIELDS } from './large/sift-list.ts'
import type { Excerpt } from './site.ts'
import { soundnessOf } from './soundness.ts'

const DEEPEST = 64
const EXCERPT = 60

export type CheckedRecord =
  | { readonly kind: 'sound'; readonly record: JsonObject }
  /** `reason`: path, what was expected, what was found. */
  | { readonly kind: 'unsound'; readonly reason: string }

/** Whether a record can be understood. It is judged, never transformed: what flows on is what the platform sent. */
export function checkRecord(value: Json, schema: z.ZodType, excerpt: Excerpt): CheckedRecord {
  if (!isJsonObject(value)) {
    return { kind: 'unsound', reason: `The record should be an object, but is ${describe(value, excerpt)}.` }
  }
  const excess = excessOf(value, DEEPEST)
  if (excess !== null) return { kind: 'unsound', reason: excess }
  if (soundnessOf(schema)(value)) return { kind: 'sound', record: value }
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return { kind: 'sound', record: value }
  const { path, expected } = innermost(issue)
  const pointer = formatPointer(path)
  const found = describe(resolvePointer(value, pointer) ?? null, excerpt)
  return { kind: 'unsound', reason: `${pointer} should be ${expected}, but is ${found}.` }
}

/** Why a record would take too long to be worked with; null: it would not. Recurses no deeper than `levels`. */
function excessOf(value: JsonObject | readonly Json[], levels: number): string | null {
  if (levels <= 0) return `The record is nested deeper than ${DEEPEST} levels.`
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const excess = excessOfPart(value[index], levels)
      if (excess !== null) return excess
    }
    return null
  }
  let fields = 0
  for (const name in value) {
    fields += 1
    if (fields > MOST_FIELDS) return `The record has an object of more than ${MOST_FIELDS} fields.`
    const excess = excessOfPart(value[name], levels)
    if (excess !== null) return excess
  }
  return null
}

/** Most parts are scalars, which take no call. */
function excessOfPart(part: Json | undefined, levels: number): string | null {
  return typeof part === 'object' && part !== null ? excessOf(part, levels - 1) : null
}

interface Cause {
  readonly path: readonly (string | number)[]
  readonly expected: string
}

/** A part is an object or nothing; where it is an object with a fault inside, the fault is the news. */
function innermost(issue: z.core.$ZodIssue): Cause {
  const path = issue.path.filter((token) => typeof token !== 'symbol')
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined
  if (inner === undefined || inner.path.length === 0) return { path, expected: issue.message }
  const cause = innermost(inner)
  return { path: [...path, ...cause.path], expected: cause.expected }
}

/** Never `JSON.stringify`: the value may be huge or nested too deep for it. */
function describe(value: Json, excerpt: Excerpt): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${excerpt(value, EXCERPT)}"`
  if (typeof value !== 'object') return String(value)
  return isJsonObject(value) ? 'an object' : `a list of ${value.length}`
}
