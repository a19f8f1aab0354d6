import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { canonicalScalar, type LeadingZeros } from './scalar.ts'
import { elementsOf, fieldShape, type Shape } from './shape.ts'

/** Text that is equal for values of the same meaning, so far as rounding allows; '' for what means nothing. */
export function canonical(shape: Shape, value: Json, zeros: LeadingZeros = 'dropped'): string {
  if (shape.ignored === true) return ''
  if (isJsonObject(value)) return canonicalObject(canonicalFields(shape, value, zeros))
  if (isJsonArray(value)) return canonicalArray(shape, value, zeros)
  return canonicalScalar(shape.scalar ?? 'plain', value, zeros)
}

/** The canonical text of every field that means something. */
export function canonicalFields(
  shape: Shape,
  value: JsonObject,
  zeros: LeadingZeros = 'dropped',
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const name of Object.keys(value)) {
    const text = canonical(fieldShape(shape, name), value[name] ?? null, zeros)
    if (text !== '') fields.set(name, text)
  }
  return fields
}

export function canonicalObject(fields: ReadonlyMap<string, string>): string {
  if (fields.size === 0) return ''
  const entries: string[] = []
  for (const [name, text] of fields) entries.push(`${quoted(name)}:${text}`)
  return `{${entries.sort().join(',')}}`
}

/** A name as `JSON.stringify` quotes it, which takes long where there is nothing to escape. */
function quoted(name: string): string {
  return /^\w*$/.test(name) ? `"${name}"` : JSON.stringify(name)
}

function canonicalArray(shape: Shape, value: readonly Json[], zeros: LeadingZeros): string {
  const { of, order } = elementsOf(shape)
  if (order === 'elsewhere') return ''
  const texts = value.map((element) => canonical(of, element, zeros))
  if (texts.every((text) => text === '')) return ''
  const parts = order === 'set' ? texts.filter((text) => text !== '').sort() : texts
  return `[${parts.join(',')}]`
}
