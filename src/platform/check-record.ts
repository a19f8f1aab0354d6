import type { z } from 'zod'
import { isJsonObject, nestsDeeperThan, type Json, type JsonObject } from '../model/json.ts'
import { formatPointer, resolvePointer } from '../model/pointer.ts'
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
  if (nestsDeeperThan(value, DEEPEST)) {
    return { kind: 'unsound', reason: `The record is nested deeper than ${DEEPEST} levels.` }
  }
  if (soundnessOf(schema)(value)) return { kind: 'sound', record: value }
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return { kind: 'sound', record: value }
  const { path, expected } = innermost(issue)
  const pointer = formatPointer(path)
  const found = describe(resolvePointer(value, pointer) ?? null, excerpt)
  return { kind: 'unsound', reason: `${pointer} should be ${expected}, but is ${found}.` }
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
