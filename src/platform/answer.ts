import { isUtf8 } from 'node:buffer'
import { header, type Headers } from '../http/exchange.ts'
import type { Exchange } from '../model/exchange.ts'
import { field, isJsonArray, type Json } from '../model/json.ts'
import { formatPointer } from '../model/pointer.ts'

/** A whole answer, not yet judged. */
export interface PlatformAnswer {
  readonly kind: 'answer'
  readonly exchange: Exchange
  readonly status: number
  readonly headers: Headers
  /** The body as far as it was read, content decoding undone. */
  readonly chunks: readonly Buffer[]
  /** The body decoded by its charset, anew each time it is asked for. */
  readonly text: string
  /** The first kilobytes of the body, decoded by its charset. */
  readonly beginning: string
}

/**
 * Frees the memory of an answer's bytes at once: nobody looks at them any more. The garbage collector would free them so late
 * that each answer is read into memory that no cache holds. Not freed here are chunks that may lie in the pool from which Node
 * cuts small buffers; they are always less than half of it.
 */
export function freeBytes(chunks: readonly Buffer[]): void {
  for (const { buffer, length } of chunks) {
    const isOwn = length === buffer.byteLength || length >= Buffer.poolSize >>> 1
    // Several chunks may lie in what was read from the socket at once.
    if (isOwn && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}

/** What stands in decoded text for bytes that are none. */
const REPLACEMENT = '\uFFFD'
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT)
const UTF_8 = 'utf-8'

/** A body as text in UTF-8, whatever it was written in. */
export interface Body {
  readonly bytes: Buffer
  /** The charset in which the body was written. */
  readonly charset: string
  /** Whether a part of `bytes` is what was written: otherwise it held bytes that are no text in that charset. */
  readonly isValid: (part: Buffer) => boolean
}

/** Decodes a body by the charset that its answer declares; UTF-8 where that declares none, or one that nobody knows. */
export function bodyOf({ headers, chunks }: { readonly headers: Headers; readonly chunks: readonly Buffer[] }): Body {
  const written = Buffer.concat(chunks)
  const charset = charsetOf(headers, written)
  if (charset !== UTF_8) return transcoded(written, charset)
  const isWhole = isUtf8(written)
  return { bytes: written, charset, isValid: (part) => isWhole || isUtf8(part) }
}

/** The charset that a content type names, as decoders call it; UTF-8 where it names none, or one that nobody knows. */
export function declaredCharset(headers: Headers): string {
  const [, quoted, plain = ''] =
    /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(header(headers, 'content-type')) ?? []
  // Some quote it as no standard does.
  const label = (quoted ?? plain.replaceAll("'", '')).trim().toLowerCase()
  // JSON is UTF-8, of which ASCII is a part; decoders take the name ASCII for windows-1252.
  if (label === '' || /^(?:us-)?ascii$/.test(label)) return UTF_8
  try {
    return new TextDecoder(label).encoding
  } catch {
    return UTF_8
  }
}

/** A byte order mark says more than a header does. Text of JSON begins in ASCII, which tells the two orders of UTF-16 apart. */
function charsetOf(headers: Headers, written: Buffer): string {
  const [first, second, third] = written
  if (first === 0xef && second === 0xbb && third === 0xbf) return UTF_8
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  const declared = declaredCharset(headers)
  if (declared !== 'utf-16le' || first !== 0) return declared
  return second === 0 ? declared : 'utf-16be'
}

function transcoded(written: Buffer, charset: string): Body {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(written)
    return { bytes: Buffer.from(text), charset, isValid: () => true }
  } catch {
    const text = new TextDecoder(charset).decode(written)
    return { bytes: Buffer.from(text), charset, isValid: (part) => !part.includes(REPLACEMENT_BYTES) }
  }
}

/** Where a value holds what stands for bytes that are none, as a JSON Pointer; null where it nowhere does. */
export function replacedAt(value: Json, path: readonly (string | number)[] = []): string | null {
  if (typeof value === 'string') return value.includes(REPLACEMENT) ? formatPointer(path) : null
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return null
  const names = isJsonArray(value) ? [...value.keys()] : Object.keys(value)
  for (const name of names) {
    if (String(name).includes(REPLACEMENT)) return formatPointer(path)
    const part = isJsonArray(value) ? value[Number(name)] : field(value, String(name))
    const found = part === undefined ? null : replacedAt(part, [...path, name])
    if (found !== null) return found
  }
  return null
}

/** Deeper nothing is looked for: what is nested so deep is rejected for that. */
const DEEPEST = 64

export function isReplaced(text: string): boolean {
  return text.includes(REPLACEMENT)
}

/** A number with 16 digits or a three-digit exponent where a value can stand: cheap to look for, seldom found. */
const SUSPICIOUS = /[:,[]\s*-?(?:\d{16}|\d[\d.]*[eE]\+?\d{3})/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * `JSON.parse`, but no number loses digits silently: integers beyond ±(2^53 − 1), and numbers beyond the range of a double,
 * become their decimal text. Throws `SyntaxError` as `JSON.parse` does.
 */
export function parseExactJson(text: string): Json {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const value: Json = JSON.parse(source)
  if (!SUSPICIOUS.test(source)) return value
  const exact: Json = JSON.parse(quoteInexactNumbers(source))
  return exact
}

/** A reviver would see the same literals, but it recurses, and answers may be nested 100,000 levels deep. */
function quoteInexactNumbers(source: string): string {
  const pieces: string[] = []
  for (let at = 0; at < source.length;) {
    const quote = source.indexOf('"', at)
    const stringStart = quote === -1 ? source.length : quote
    const stringEnd = quote === -1 ? source.length : endOfString(source, quote)
    pieces.push(
      source.slice(at, stringStart).replaceAll(NUMBER, (literal) => (isExact(literal) ? literal : `"${literal}"`)),
      source.slice(stringStart, stringEnd),
    )
    at = stringEnd
  }
  return pieces.join('')
}

/** The index after the closing quote of the string that opens at `open`, in valid JSON. */
function endOfString(source: string, open: number): number {
  let close = source.indexOf('"', open + 1)
  while (backslashesBefore(source, close) % 2 === 1) close = source.indexOf('"', close + 1)
  return close + 1
}

function backslashesBefore(source: string, index: number): number {
  let count = 0
  while (source[index - 1 - count] === '\\') count += 1
  return count
}

function isExact(literal: string): boolean {
  const value = Number(literal)
  return /^-?\d+$/.test(literal) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

/** The JSON of an answer's body; undefined where it is none. */
export function parseAnswer(text: string): Json | undefined {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
