const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const UPPER = 0x54
const LOWER = 0x74

/**
 * All texts within JSON, as `JSON.stringify` makes it, that may be date-times: in which a digit, a `T` or a blank, and a digit follow one another.
 * Nothing is parsed for that. null: one has characters that are escaped.
 */
export function writtenDates(json: Uint8Array): readonly string[] | null {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const texts: string[] = []
  for (let at = 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== UPPER && byte !== SPACE && byte !== LOWER) continue
    if (!isDigit(bytes[at - 1]) || !isDigit(bytes[at + 1])) continue
    const start = bytes.lastIndexOf(QUOTE, at) + 1
    const end = bytes.indexOf(QUOTE, at)
    const text = bytes.toString('utf8', start, end)
    if (text.includes('\\') || bytes[start - 2] === BACKSLASH) return null
    texts.push(text)
    at = end
  }
  return texts
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
