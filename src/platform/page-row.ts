import { contentHashOf } from '../model/content-hash.ts'
import type { Json } from '../model/json.ts'
import { parseExactJson, replacedAt, type Body } from './answer.ts'

/**
 * A row of a list's answer, before it is judged. A page that changed is cut into the texts of its rows. If the text of a row has
 * the content hash of a record on that page, the row is that record: it is not parsed, validated, looked up or searched for
 * drift, and its `value` is parsed only where somebody asks for it.
 */
export interface PageRow {
  /** The id of the record that had this very text before; null where none had. */
  readonly known: string | null
  readonly value: Json
  /** Whether its bytes are text; otherwise `value` holds what stands for those that are not. */
  readonly isText: boolean
  /** Why it is too large to be worked with: `value` then is what identifies it. Left out: it is not. */
  readonly excess?: string
  /** The hash of the row's text; throws where it is nested too deep to be written as text. */
  readonly contentHash: string
}

/**
 * The rows of a list, of which those that are known are parsed only where somebody looks into them. null where the body is no
 * list of objects, or no JSON: to be parsed as a whole. `known`: ids by the content hashes of records.
 */
export function rowsOfText(body: Body, known: ReadonlyMap<string, string>): readonly PageRow[] | null {
  const { bytes, isValid } = body
  const read = (text: Buffer): PageRow => rowOfText(text, known, isValid)
  const unreadable = (text: Buffer): PageRow => readableRow(text, read) ?? rowWithoutText(text, isValid)
  return rowsOf(cutRows(bytes), read) ?? rowsOf(splitRows(bytes), unreadable)
}

function readableRow(text: Buffer, read: (text: Buffer) => PageRow): PageRow | null {
  try {
    return read(text)
  } catch {
    return null
  }
}

/** A row whose bytes that are no text make it no JSON either. Throws where all is text. */
function rowWithoutText(text: Buffer, isValid: Body['isValid']): PageRow {
  if (isValid(text)) throw new SyntaxError('The row is no JSON.')
  return { known: null, value: null, isText: false, contentHash: contentHashOf(text) }
}

/** The rows of texts; null where one of them is no JSON. */
function rowsOf(texts: readonly Buffer[] | null, read: (text: Buffer) => PageRow): readonly PageRow[] | null {
  try {
    return texts?.map(read) ?? null
  } catch {
    return null
  }
}

/** `isText`: whether all of the body is. */
export function rowsOfValues(values: readonly Json[], isText = true): readonly PageRow[] {
  return values.map((value) => ({
    known: null,
    value,
    isText: isText || replacedAt(value) === null,
    get contentHash() {
      return contentHashOf(JSON.stringify(value))
    },
  }))
}

function rowOfText(text: Buffer, known: ReadonlyMap<string, string>, isValid: Body['isValid']): PageRow {
  const contentHash = contentHashOf(text)
  const id = known.get(contentHash) ?? null
  if (id === null) return { known: id, contentHash, isText: isValid(text), value: parseExactJson(text.toString()) }
  return new KnownRow(id, contentHash, text)
}

/** A class, because a getter of an object's own takes a microsecond to be made, and nearly all rows of a page are such. */
export class KnownRow implements PageRow {
  readonly known: string
  readonly isText = true
  readonly contentHash: string
  readonly #text: Buffer
  #value: Json | undefined

  constructor(known: string, contentHash: string, text: Buffer) {
    this.known = known
    this.contentHash = contentHash
    this.#text = text
  }

  get value(): Json {
    this.#value ??= parseExactJson(this.#text.toString())
    return this.#value
  }
}

/** A page that no platform would send is not worth a view of each of its rows. */
const MOST_ROWS = 10_000

/**
 * The texts of the objects in a list, in UTF-8, without parsing them; null where it is no list, or holds anything else.
 * Brackets are counted outside of strings and nothing else is judged: the whole is JSON if and only if each part is.
 */
function splitRows(json: Buffer): readonly Buffer[] | null {
  const rows: Buffer[] = []
  let at = startOfRows(json)
  if (at === null) return null
  while (json[at] === OPEN_OBJECT && rows.length < MOST_ROWS) {
    const end = endOfObject(json, at)
    rows.push(json.subarray(at, end))
    at = skipSpace(json, end)
    if (json[at] === CLOSE_LIST) return skipSpace(json, at + 1) === json.length ? rows : null
    if (json[at] !== COMMA) return null
    at = skipSpace(json, at + 1)
  }
  return null
}

/**
 * The same by a search, which is faster: cut wherever the text begins again as the first row does, up to the colon of its first
 * field. If each part is JSON, the cut is right, since there is only one way. If one is not, use `splitRows`. null where the text
 * cannot be cut so.
 */
function cutRows(json: Buffer): readonly Buffer[] | null {
  const first = startOfRows(json)
  if (first === null || json[first] !== OPEN_OBJECT) return null
  const opening = json.subarray(first, json.indexOf(COLON, first) + 1)
  if (opening.length === 0) return null
  const rows: Buffer[] = []
  let at = first
  for (let next = 0; next !== -1 && rows.length < MOST_ROWS; at = next) {
    next = json.indexOf(opening, at + opening.length)
    const end = endBeforeSpace(json, next === -1 ? json.length : next) - 1
    if (json[end] !== (next === -1 ? CLOSE_LIST : COMMA)) return null
    rows.push(json.subarray(at, endBeforeSpace(json, end)))
  }
  return at === -1 ? rows : null
}

/** Where the first row would start; null where it is no list. */
function startOfRows(json: Buffer): number | null {
  const list = beginOf(json)
  return json[list] === OPEN_LIST ? skipSpace(json, list + 1) : null
}

function endBeforeSpace(json: Buffer, end: number): number {
  let at = end
  while (isSpace(json[at - 1])) at -= 1
  return at
}

/** The index after the bracket that closes the one at `open`; beyond the end where none does. */
function endOfObject(json: Buffer, open: number): number {
  let depth = 0
  for (let at = open; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return json.length + 1
}

/** The index of the closing quote of the string that opens at `open`. */
function endOfString(json: Buffer, open: number): number {
  let at = open + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/** Bytes by which JSON is cut into parts without being parsed. */
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COLON = 0x3a
export const COMMA = 0x2c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Where JSON begins: behind a byte order mark, and behind space. */
export function beginOf(json: Buffer): number {
  return skipSpace(json, json.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
}

export function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (isSpace(json[at])) at += 1
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
