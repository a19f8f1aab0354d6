import { Candidate } from '../../src/detect/compare/candidate.ts'
import type { JsonObject } from '../../src/model/json.ts'

export function candidatesOf(values: readonly JsonObject[]): readonly Candidate[] {
  return values.map((value, index) => {
    return new Candidate({ order: 'set', of: {} }, { index, value, key: '*', owner: null, home: null })
  })
}

/** Every one holds the same hundred texts, and one that only its partner holds. */
export function alike(count: number): readonly JsonObject[] {
  const common = Object.fromEntries(Array.from({ length: 100 }, (_, field) => [`field ${field}`, 'common']))
  return Array.from({ length: count }, (_, index) => ({ ...common, own: `text ${index}` }))
}
