import { field, isJsonArray, type Json } from './json.ts'

/** JSON Pointer (RFC 6901) of a list of keys and indexes. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => '/' + String(token).replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

export function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value a JSON Pointer names, or undefined where it does not resolve. */
export function resolvePointer(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const token of parsePointer(pointer)) {
    value = isJsonArray(value) && /^\d+$/.test(token) ? value[Number(token)] : field(value, token)
  }
  return value
}
