import { contentHashOf } from '../model/content-hash.ts'
import type { Json } from '../model/json.ts'
import { replacedAt, type Body } from './charset.ts'
import { parseExactJson } from './parse-exact-json.ts'
import { cutRows, splitRows } from './split-rows.ts'

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
