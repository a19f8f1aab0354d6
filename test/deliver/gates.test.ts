import { expect, it } from 'vitest'
import { Gates } from '../../src/deliver/gates.ts'

const PLACES = new Map([
  ['ops', 1],
  ['erp', 4],
])
const SECOND = 1_000
const NOW = Date.UTC(2026, 10, 21, 8)

function open(gates: Gates, now: number): readonly string[] {
  return [...gates.open(PLACES, now).keys()]
}

it('a gate is shut until its channel has something to send, and looked behind soon', () => {
  const gates = new Gates()
  gates.shut('ops', NOW + 3_600 * SECOND, NOW)
  expect(open(gates, NOW)).toEqual(['erp'])
  expect(gates.nextAt(PLACES.keys(), NOW)).toBe(NOW + 3_600 * SECOND)
  expect(gates.nextLookAt(PLACES.keys(), NOW)).toBe(NOW + 15 * SECOND)
  expect(open(gates, NOW + 15 * SECOND)).toEqual(['ops', 'erp'])
})

it('it opens sooner for an attempt that is to be repeated, and at once where nothing waits', () => {
  const gates = new Gates()
  gates.shut('ops', NOW + 10 * SECOND, NOW)
  gates.openAt('ops', NOW + 5 * SECOND)
  gates.openAt('ops', NOW + 8 * SECOND)
  expect(gates.nextAt(PLACES.keys(), NOW)).toBe(NOW + 5 * SECOND)
  gates.shut('ops', null, NOW)
  expect(open(gates, NOW)).toEqual(['ops', 'erp'])
  expect(gates.nextAt(PLACES.keys(), NOW)).toBeNull()
})
