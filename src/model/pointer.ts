import { field, isJsonArray, type Json } from './json.ts'

/** JSON Pointer (RFC 6901) of a list of keys and indexes. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${escaped(String(token))}`
  return pointer
}

/** Hardly any name has either sign. */
function escaped(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token
}

function unescaped(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** The first of the keys; undefined where the pointer names the whole document. */
export function firstToken(pointer: string): string | undefined {
  if (pointer === '') return undefined
  const end = pointer.indexOf('/', 1)
  return unescaped(end === -1 ? pointer.slice(1) : pointer.slice(1, end))
}

export function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer.slice(1).split('/').map(unescaped)
}

/** A pointer with `*` in place of indexes: it stands for all elements of a list. */
export function generalised(pointer: string): string {
  return formatPointer(parsePointer(pointer).map((token) => (/^\d+$/.test(token) ? '*' : token)))
}

/** The value a JSON Pointer names, or undefined where it does not resolve. */
export function resolvePointer(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const token of parsePointer(pointer)) {
    value = isJsonArray(value) && /^\d+$/.test(token) ? value[Number(token)] : field(value, token)
  }
  return value
}
