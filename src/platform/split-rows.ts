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
  isSpace,
} from './json-bytes.ts'

/** A page that no platform would send is not worth a view of each of its rows. */
const MOST_ROWS = 10_000

/**
 * The texts of the objects in a list, in UTF-8, without parsing them; null where it is no list, or holds anything else.
 * Brackets are counted outside of strings and nothing else is judged: the whole is JSON if and only if each part is.
 */
export function splitRows(json: Buffer): readonly Buffer[] | null {
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
export function cutRows(json: Buffer): readonly Buffer[] | null {
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
