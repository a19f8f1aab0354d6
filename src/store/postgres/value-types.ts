import { types, type CustomTypesConfig } from 'pg'
import { ShipbellError } from '../../errors.ts'
import { decodeJson, decodeText } from './text.ts'

const { INT8, JSON: JSON_TEXT, TEXT, NUMERIC } = types.builtins

/** `bigint` is a number that was checked, `text` has its NULs again, also within JSON. Sums of `bigint` are `numeric`. */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, format)
    if (oid === INT8 || oid === NUMERIC) return toInteger
    if (oid === TEXT) return decodeText
    if (oid === JSON_TEXT) return decodeJson
    return types.getTypeParser(oid, 'text')
  }) as CustomTypesConfig['getTypeParser'],
}

function toInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new ShipbellError('internal', `The number ${text} in the database is none that Shipbell can count with.`)
}
