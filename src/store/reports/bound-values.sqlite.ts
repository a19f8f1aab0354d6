import type { Value } from '../file/query.ts'
import type { Values } from './lookup.ts'

/** Lists as JSON: SQLite has no arrays. */
export function boundValues(values: Values): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
}
