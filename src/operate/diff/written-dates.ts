/**
 * All texts within JSON, as `JSON.stringify` makes it, that may be date-times: in which a digit, a `T` or a blank, and a digit follow one another.
 * Nothing is parsed for that. null: one has characters that are escaped.
 */
export function writtenDates(json: Uint8Array): readonly string[] | null {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  // A character for each byte, so that places are the same.
  const written = bytes.toString('latin1')
  const texts: string[] = []
  const parted = new RegExp(PARTED)
  for (let found = parted.exec(written); found !== null; found = parted.exec(written)) {
    const start = written.lastIndexOf('"', found.index) + 1
    const end = written.indexOf('"', found.index)
    const text = bytes.toString('utf8', start, end)
    if (text.includes('\\') || written[start - 2] === '\\') return null
    texts.push(text)
    parted.lastIndex = end
  }
  return texts
}

/** A date and its time of day, with what parts them. */
const PARTED = /\d[Tt ]\d/g
