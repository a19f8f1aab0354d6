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

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
