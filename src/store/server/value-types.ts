import { types, type CustomTypesConfig } from 'pg'
import { ShipbellError } from '../../errors.ts'
import { decodeJson, decodeText } from './text.ts'

const { INT8, JSON: JSON_TEXT, NUMERIC, TEXT } = types.builtins

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map([
  [INT8, toInteger],
  [NUMERIC, toInteger],
  [TEXT, decodeText],
  [JSON_TEXT, decodeJson],
])

/** `bigint` is a number that was checked, `text` has its NULs again, also within JSON. Sums of `bigint` are `numeric`. */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, format)
    return PARSERS.get(oid) ?? types.getTypeParser(oid, 'text')
  }) as CustomTypesConfig['getTypeParser'],
}

function toInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new ShipbellError('internal', `The number ${text} in the database is none that Shipbell can count with.`)
}
