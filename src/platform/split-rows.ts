const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** A page that no platform would send is not worth a view of each of its rows. */
const MOST_ROWS = 10_000

/**
 * The texts of the objects in a list, in UTF-8, without parsing them; null where it is no list, or holds anything else.
 * Brackets are counted outside of strings and nothing else is judged: the whole is JSON if and only if each part is.
 */
export function splitRows(json: Buffer): readonly Buffer[] | null {
  const rows: Buffer[] = []
  const list = skipSpace(json, json.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  if (json[list] !== OPEN_LIST) return null
  let at = skipSpace(json, list + 1)
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

function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (isSpace(json[at])) at += 1
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
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
