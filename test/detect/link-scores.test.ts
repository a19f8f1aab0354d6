import { expect, test } from 'vitest'
import { Candidate } from '../../src/detect/compare/candidate.ts'
import { linkScores } from '../../src/detect/compare/link-scores.ts'
import type { JsonObject } from '../../src/model/json.ts'

function candidatesOf(values: readonly JsonObject[]): readonly Candidate[] {
  return values.map((value, index) => {
    return new Candidate({ order: 'set', of: {} }, { index, value, key: '*', owner: null, home: null })
  })
}

/** Every one holds the same hundred texts, and one that only its partner holds. */
function alike(count: number): readonly JsonObject[] {
  const common = Object.fromEntries(Array.from({ length: 100 }, (_, field) => [`field ${field}`, 'common']))
  return Array.from({ length: count }, (_, index) => ({ ...common, own: `text ${index}` }))
}

test('what most candidates share is not weighed where that would take billions of steps', () => {
  const [before, after] = [candidatesOf(alike(4_000)), candidatesOf(alike(4_000).toReversed())]
  const links = [...linkScores(before, after, new Set())]
  expect(links).toHaveLength(4_000)
  expect(links.every(([left, right]) => left === 3_999 - right)).toBe(true)
})

test('where there is little to weigh, everything counts', () => {
  const [before, after] = [candidatesOf(alike(20)), candidatesOf(alike(20).toReversed())]
  const links = [...linkScores(before, after, new Set())]
  expect(links).toHaveLength(400)
  expect(links.slice(0, 20).every(([left, right]) => left === 19 - right)).toBe(true)
})
