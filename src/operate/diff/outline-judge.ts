import { inertText } from '../../deliver/channels/chat/inert-text.ts'
import { isMarked, withoutMarks, type Outlines } from '../../message/template/outlines.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { Reader } from '../../model/reader.ts'
import type { Verdict, Verdicts } from './verdicts.ts'

/** What is known of all judges, and which of them this one is. */
export interface KnownVerdicts {
  readonly verdicts: Verdicts
  readonly judge: number
}

/** Judges events by the outlines of two templates: once for all that the outlines do not tell apart. */
export class OutlineJudge {
  readonly #outlines: Outlines
  readonly #judge: (old: string, other: string) => Verdict
  readonly #known: KnownVerdicts

  constructor(outlines: Outlines, judge: (old: string, other: string) => Verdict, known: KnownVerdicts) {
    this.#outlines = outlines
    this.#judge = judge
    this.#known = known
  }

  /** `view` makes what the templates see of the event. */
  verdict(view: () => JsonObject, reader: Reader): Verdict {
    const { paths } = this.#outlines.reads
    const seen = paths.length === 0 ? {} : view()
    // What is missing may be told otherwise than what is null.
    const read = paths.map((path) => [valueAt(seen, path)].filter((value) => value !== undefined))
    const key = JSON.stringify([this.#known.judge, reader.language, reader.timeZone, read])
    const { verdicts } = this.#known
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const made = this.#outlines.of(seen, reader)
    const verdict = made === null ? null : this.#judge(...made)
    verdicts.set(key, verdict)
    return verdict
  }
}

/**
 * What a template can make of a value; undefined: it is missing. What has no more names is whole, because some names are made of it, such
 * as `size`.
 */
function valueAt(view: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json = view
  for (const name of path) {
    if (!isJsonObject(value)) return value
    const inner: Json | undefined = Object.hasOwn(value, name) ? value[name] : undefined
    if (inner === undefined) return MADE_OF.has(name) ? value : undefined
    value = inner
  }
  return value
}

/** Names that everything has. */
const MADE_OF: ReadonlySet<string> = new Set(['first', 'last', 'size'])

/** Whether two outlines make different texts, whatever stands at their marks, also without what `bare` takes out of them. */
export function differAnyhow(old: string, other: string, bare: (text: string) => string): boolean {
  const [one, another] = differingMiddles(old, other)
  if (!isMarked(one) && !isMarked(another)) return bare(one) !== bare(another)
  // A mark may stand for nothing, and for anything.
  const [size, otherSize] = [one, another].map((text) => bare(withoutMarks(text)).length)
  if (size === undefined || otherSize === undefined) return false
  return (!isMarked(one) && size < otherSize) || (!isMarked(another) && otherSize < size)
}

/** Two texts without what they begin and end with alike; no character is cut in half. */
function differingMiddles(old: string, other: string): readonly [string, string] {
  const most = Math.min(old.length, other.length)
  let start = 0
  while (start < most && old[start] === other[start]) start += 1
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start -= 1
  let end = 0
  while (end < most - start && old.at(-1 - end) === other.at(-1 - end)) end += 1
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end -= 1
  return [old.slice(start, old.length - end), other.slice(start, other.length - end)]
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** What people see of a text, whatever its lines: channels leave out what cannot be seen, and put a dash where nothing can. */
export function seenText(text: string): string {
  return inertText(text).replaceAll(/[\s–\p{Join_Control}\p{Variation_Selector}]/gu, '')
}

/** Whether readers can tell two texts apart. */
export function isSeenApart(one: string, another: string): boolean {
  return one !== another && seenText(one) !== seenText(another)
}
