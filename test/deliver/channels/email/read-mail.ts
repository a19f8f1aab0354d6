import type { ReceivedMail } from '../../../support/mail-server.ts'

/** A mail as a mail program reads it: RFC 5322 headers, two parts in quoted-printable, base64 or as they are. */
export interface ReadMail {
  /** In lower case, unfolded, encoded words decoded; with their names as they stand. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly text: string
  readonly html: string
}

export function readMail({ raw }: Pick<ReceivedMail, 'raw'>): ReadMail {
  const { headers, body } = splitPart(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.replace(/^\r\n/, '')))
  const partOf = (type: string): string => {
    const part = parts.find((each) => each.headers.get('content-type')?.[0]?.startsWith(type) === true)
    return part === undefined ? '' : decodeBody(part)
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

export function header(mail: Pick<ReceivedMail, 'raw'>, name: string): string {
  const values = readMail(mail).headers.get(name) ?? []
  if (values.length !== 1) throw new Error(`${name} stands there ${values.length} times`)
  return values[0] ?? ''
}

interface Part {
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

function splitPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line) => ({
    name: line.slice(0, line.indexOf(':')).toLowerCase(),
    value: decodeWords(line.slice(line.indexOf(':') + 1).trim()),
  }))
  const headers = new Map(
    [...Map.groupBy(pairs, ({ name }) => name)].map(([name, all]) => [name, all.map(({ value }) => value)]),
  )
  return { headers, body: raw.slice(end + 4) }
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
    )
}

function decodeBody({ headers, body }: Part): string {
  switch (headers.get('content-transfer-encoding')?.[0] ?? '') {
    case 'base64':
      return Buffer.from(body, 'base64').toString()
    case 'quoted-printable':
      return quoted(body.replaceAll('=\r\n', ''))
    default:
      return body
  }
}

function quoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
