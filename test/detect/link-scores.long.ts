import { expect, test } from 'vitest'
import { linkScores } from '../../src/detect/compare/link-scores.ts'
import { alike, candidatesOf } from './alike-candidates.ts'

test('what most candidates share is not weighed where that would take billions of steps', () => {
  const [before, after] = [candidatesOf(alike(4_000)), candidatesOf(alike(4_000).toReversed())]
  const links = [...linkScores(before, after, new Set())]
  expect(links).toHaveLength(4_000)
  expect(links.every(([left, right]) => left === 3_999 - right)).toBe(true)
})
