import {
  QUOTE,
  BACKSLASH,
  COLON,
  COMMA,
  OPEN_LIST,
  CLOSE_LIST,
  OPEN_OBJECT,
  CLOSE_OBJECT,
  beginOf,
  skipSpace,
} from '../page-row.ts'
/*
 * Finds the rows of a list in its bytes without parsing them. A row that is too large to be worked with is known by what
 * identifies it alone: to parse it, or to hand it from one thread to another as a value, would take longer than all the others.
 */

/** How many fields one object of a record may have. */
export const MOST_FIELDS = 2_000
/** The largest record that is read. */
export const MOST_RECORD_BYTES = 1_048_576
/** The most rows of a page: an answer with more is no page of a list. */
export const MOST_LIST_ROWS = 100_000

/** What identifies a record, and tells an invoice from a credit note. */
const NAMES = /^"(?:reference|id|po_number|type|\w{0,40}_shipment_id)"$/
const LONGEST_NAME = 60
const LONGEST_VALUE = 2_000

/** A row that is too large. */
export interface HugeRow {
  readonly index: number
  readonly bytes: number
  /** Fields of its largest object. */
  readonly fields: number
  /** What identifies the row, as the text of an object. */
  readonly stub: string
}

export type SiftedList =
  | {
      readonly kind: 'rows'
      /** Where each row begins, and ends. */
      readonly starts: readonly number[]
      readonly ends: readonly number[]
      readonly huge: readonly HugeRow[]
    }
  | { readonly kind: 'no_list' | 'malformed' | 'too_many' }

export function siftList(json: Buffer): SiftedList {
  const open = beginOf(json)
  if (json[open] !== OPEN_LIST) return { kind: 'no_list' }
  const [starts, ends, huge]: [number[], number[], HugeRow[]] = [[], [], []]
  const sifted = { kind: 'rows', starts, ends, huge } as const
  let at = skipSpace(json, open + 1)
  if (json[at] === CLOSE_LIST) return skipSpace(json, at + 1) === json.length ? sifted : { kind: 'malformed' }
  for (;;) {
    const row = siftRow(json, at)
    const bytes = row.end - at
    if (bytes === 0) return { kind: 'malformed' }
    if (bytes > MOST_RECORD_BYTES || row.fields > MOST_FIELDS) {
      huge.push({ index: starts.length, bytes, fields: row.fields, stub: row.stub })
    }
    starts.push(at)
    ends.push(row.end)
    if (starts.length > MOST_LIST_ROWS) return { kind: 'too_many' }
    at = skipSpace(json, row.end)
    if (json[at] === CLOSE_LIST) return skipSpace(json, at + 1) === json.length ? sifted : { kind: 'malformed' }
    if (json[at] !== COMMA) return { kind: 'malformed' }
    at = skipSpace(json, at + 1)
  }
}

interface SiftedRow {
  readonly end: number
  readonly fields: number
  readonly stub: string
}

/** Deeper, fields are not counted any more: what is nested so deep is rejected for that. */
const DEEPEST = 200

/** The value that begins at `start`; it ends where the list goes on. */
function siftRow(json: Buffer, start: number): SiftedRow {
  const fieldsAt: number[] = []
  const stub: string[] = []
  let [at, depth, fields, text, name, valueAt] = [start, 0, 0, start, '', start]
  const endOfValue = (): void => {
    const isShort = valueAt > start && at - valueAt <= LONGEST_VALUE
    const value = isShort && depth === 1 && name !== '' ? json.toString('utf8', valueAt, at).trim() : ''
    if (/^["\d-]/.test(value)) stub.push(`${name}:${value}`)
    name = ''
  }
  for (; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) {
      text = at
      at = endOfString(json, at)
    } else if (byte === COLON) {
      const count = (fieldsAt[depth] ?? 0) + 1
      if (depth < DEEPEST) fieldsAt[depth] = count
      if (count > fields) fields = count
      if (depth === 1 && json[start] === OPEN_OBJECT) {
        name = nameOf(json, text, at)
        valueAt = at + 1
      }
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1
      if (depth < DEEPEST) fieldsAt[depth] = 0
    } else if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) break
      if (depth === 1) endOfValue()
      if (byte !== COMMA) depth -= 1
      if (depth === 0) {
        at += 1
        break
      }
    }
  }
  return { end: Math.min(at, json.length), fields, stub: `{${stub.join(',')}}` }
}

/** The name of a field that is kept, in its quotes; '' for any other. */
function nameOf(json: Buffer, text: number, colon: number): string {
  if (colon - text > LONGEST_NAME) return ''
  const name = json.toString('latin1', text, colon).trimEnd()
  return NAMES.test(name) ? name : ''
}

/** The index of the closing quote of the string that opens at `open`; beyond the end where none does. */
function endOfString(json: Buffer, open: number): number {
  for (let close = json.indexOf(QUOTE, open + 1); close !== -1; close = json.indexOf(QUOTE, close + 1)) {
    let before = close - 1
    while (json[before] === BACKSLASH) before -= 1
    if ((close - before) % 2 === 1) return close
  }
  return json.length
}
