const NUL = '\0'
const ESCAPE = '\u0010'
const ESCAPE_IN_JSON = String.raw`\u0010`
const RAW = new RegExp(`[${NUL}${ESCAPE}]`, 'g')
const ESCAPED = new RegExp(`${ESCAPE}([0p])`, 'g')

/**
 * PostgreSQL keeps no NUL in a text, and hostile records have some in ids and names: it is written as DLE and `0`, DLE itself
 * as DLE and `p`. JSON has neither, because it escapes both.
 */
export function encodeText(text: string): string {
  return text.includes(NUL) || text.includes(ESCAPE)
    ? text.replace(RAW, (each) => (each === NUL ? `${ESCAPE}0` : `${ESCAPE}p`))
    : text
}

export function decodeText(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ESCAPED, (_, kind) => (kind === '0' ? NUL : ESCAPE)) : text
}

/** JSON that the database made of rows. */
export function decodeJson(json: string): unknown {
  if (!json.includes(ESCAPE_IN_JSON)) return JSON.parse(json)
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? decodeText(value) : value))
}
