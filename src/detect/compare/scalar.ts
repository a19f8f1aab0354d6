import { parseInstant } from '../../model/instant.ts'
import { readDay } from '../../model/iso-time.ts'

export type Scalar = string | number | boolean | null | undefined

/**
 * How two scalars compare (guarantee D2).
 *
 * - `plain`: numbers but for float noise, date-times by their instant, everything else exactly
 * - `identifier`: a number and a text that render the same are the same; two texts or two numbers compare exactly
 * - `folded`: text without regard to case and spaces
 * - `code`: letters and digits alone, without regard to case: `CNSHA` is `cn sha` and `CN-SHA`
 * - `number`: a number and the text of a number are the same, but for float noise
 * - `boolean`: `true`, `1`, `"1"` and `"yes"` are the same
 * - `date`: calendar dates by the day that is written, which a date-time at midnight names, too
 *
 * What is not of its kind compares as `plain`.
 */
export type ScalarKind = 'plain' | 'identifier' | 'folded' | 'code' | 'number' | 'boolean' | 'date'

const NOISE = 1e-9

function isEmptyScalar(value: Scalar): boolean {
  return value === null || value === undefined || value === ''
}

export function sameScalar(kind: ScalarKind, before: Scalar, after: Scalar): boolean {
  if (before === after) return true
  if (isEmptyScalar(before) || isEmptyScalar(after)) return isEmptyScalar(before) && isEmptyScalar(after)
  switch (kind) {
    case 'folded':
      return foldText(String(before)) === foldText(String(after))
    case 'code':
      return canonicalScalar(kind, before) === canonicalScalar(kind, after)
    case 'identifier':
      return typeof before !== typeof after && sameIdentifier(before, after)
    case 'plain':
      return samePlain(before, after)
    case 'number':
    case 'boolean':
    case 'date':
      return samePlain(valueOf(kind, before), valueOf(kind, after))
    default:
      return kind satisfies never
  }
}

/** What leading zeros of identifiers mean. Dropped: `007` may be rendered as 7. Kept: it is another text than `7`. */
export type LeadingZeros = 'dropped' | 'kept'

/** Text that is equal for scalars of the same meaning, so far as rounding allows; '' for nothing. */
export function canonicalScalar(kind: ScalarKind, value: Scalar, zeros: LeadingZeros = 'dropped'): string {
  if (isEmptyScalar(value)) return ''
  if (kind === 'folded') return `~${foldText(String(value))}`
  if (kind === 'code') return codeText(String(value))
  if (kind === 'identifier' && typeof value !== 'boolean')
    return `=${zeros === 'kept' ? value : identifierText(String(value))}`
  return canonicalPlain(valueOf(kind, value))
}

function canonicalPlain(value: Scalar): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return `#${Number.isSafeInteger(value) ? value : Number(value.toPrecision(12))}`
  if (typeof value === 'boolean') return String(value)
  const instant = parseInstant(value)
  return instant === null ? JSON.stringify(value) : `@${instant}`
}

/** A code by its letters and digits alone; a text without any is taken as it is, so that it means something. */
function codeText(text: string): string {
  const code = text.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return `=${code === '' ? text : code}`
}

/** Lower case, without spaces. */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/gu, '')
}

/** A value of a kind as one that compares as `plain`. What is none of that kind is as it is. */
function valueOf(kind: ScalarKind, value: Scalar): Scalar {
  switch (kind) {
    case 'number':
      return numberOf(value)
    case 'boolean':
      return booleanOf(value)
    case 'date':
      return readDay(value) ?? value
    case 'plain':
    case 'identifier':
    case 'folded':
    case 'code':
      return value
    default:
      return kind satisfies never
  }
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** A double tells so many digits apart. */
const EXACT_DIGITS = 15

/** The number that a value says; where it is a whole number with more digits than a double has, its digits. */
function numberOf(value: Scalar): Scalar {
  const text = typeof value === 'string' ? value.trim() : ''
  if (!DECIMAL.test(text)) return value
  const whole = /^\+?(-?)0*(\d+)(?:\.0*)?$/.exec(text)
  if (whole?.[2] !== undefined && whole[2].length > EXACT_DIGITS) return `${whole[1]}${whole[2]}`
  return Number(text)
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y', 't', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n', 'f', '0'].map((word) => [word, false] as const),
])

function booleanOf(value: Scalar): Scalar {
  return WORDS.get(String(value).trim().toLowerCase()) ?? value
}

function samePlain(before: Scalar, after: Scalar): boolean {
  if (before === after) return true
  if (typeof before === 'number' && typeof after === 'number') return sameNumber(before, after)
  const instant = parseInstant(before)
  return instant !== null && instant === parseInstant(after)
}

/** Whole numbers carry no float noise: they compare exactly. */
function sameNumber(before: number, after: number): boolean {
  if (Number.isSafeInteger(before) && Number.isSafeInteger(after)) return before === after
  if (!Number.isFinite(before) || !Number.isFinite(after)) return before === after
  return Math.abs(before - after) <= NOISE * Math.max(Math.abs(before), Math.abs(after))
}

/** A number and a text; beyond 2^53 a number stands for every text that rounds to it. */
function sameIdentifier(before: Scalar, after: Scalar): boolean {
  if (canonicalScalar('identifier', before) === canonicalScalar('identifier', after)) return true
  const text = typeof before === 'string' ? before : after
  const number = typeof before === 'string' ? after : before
  return typeof text === 'string' && /^\d+$/.test(text) && Number(text) === number
}

function identifierText(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text
}
