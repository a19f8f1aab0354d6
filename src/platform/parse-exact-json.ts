import type { Json } from '../model/json.ts'

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
