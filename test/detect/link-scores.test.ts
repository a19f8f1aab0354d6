import { expect, test } from 'vitest'
import { linkScores } from '../../src/detect/compare/link-scores.ts'
import { alike, candidatesOf } from './alike-candidates.ts'

test('where there is little to weigh, everything counts', () => {
  const [before, after] = [candidatesOf(alike(20)), candidatesOf(alike(20).toReversed())]
  const links = [...linkScores(before, after, new Set())]
  expect(links).toHaveLength(400)
  expect(links.slice(0, 20).every(([left, right]) => left === 19 - right)).toBe(true)
})
