import { asText, field, type Json } from '../model/json.ts'
import { canonicalScalar } from './compare/scalar.ts'

/** A container is its number, however that is rendered; until it has one it may become any. */
export function containerKey(container: Json): string | null {
  const number = asText(field(container, 'container_number'))
  const folded = number === null ? '' : canonicalScalar('folded', number)
  return folded === '' || folded === '~' ? null : canonicalScalar('identifier', folded.slice(1))
}
