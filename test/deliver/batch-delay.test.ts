import { expect, it } from 'vitest'
import { BatchDelay } from '../../src/deliver/batch-delay.ts'

const PLACES = new Map([
  ['ops', 1],
  ['erp', 4],
])
const SECOND = 1_000
const NOW = Date.UTC(2026, 10, 21, 8)

function open(batchDelay: BatchDelay, now: number): readonly string[] {
  return [...batchDelay.open(PLACES, now).keys()]
}

it('a gate is shut until its channel has something to send, and looked behind soon', () => {
  const batchDelay = new BatchDelay()
  batchDelay.shut('ops', NOW + 3_600 * SECOND, NOW)
  expect(open(batchDelay, NOW)).toEqual(['erp'])
  expect(batchDelay.nextAt(PLACES.keys(), NOW)).toBe(NOW + 3_600 * SECOND)
  expect(batchDelay.nextLookAt(PLACES.keys(), NOW)).toBe(NOW + 15 * SECOND)
  expect(open(batchDelay, NOW + 15 * SECOND)).toEqual(['ops', 'erp'])
})

it('it opens sooner for an attempt that is to be repeated, and at once where nothing waits', () => {
  const batchDelay = new BatchDelay()
  batchDelay.shut('ops', NOW + 10 * SECOND, NOW)
  batchDelay.openAt('ops', NOW + 5 * SECOND)
  batchDelay.openAt('ops', NOW + 8 * SECOND)
  expect(batchDelay.nextAt(PLACES.keys(), NOW)).toBe(NOW + 5 * SECOND)
  batchDelay.shut('ops', null, NOW)
  expect(open(batchDelay, NOW)).toEqual(['ops', 'erp'])
  expect(batchDelay.nextAt(PLACES.keys(), NOW)).toBeNull()
})

it('one that was shut while the clock was ahead is open', () => {
  const batchDelay = new BatchDelay()
  batchDelay.shut('ops', NOW + 5 * SECOND, NOW)
  expect(open(batchDelay, NOW - 3_600 * SECOND)).toEqual(['ops', 'erp'])
})
