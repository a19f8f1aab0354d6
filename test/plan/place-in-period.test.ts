import { assert, integer, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { placeInPeriod, turnInPlace } from '../../src/plan/place-in-period.ts'

const PERIOD_MS = 60_000

/** The turns of many who all began at once, each period from then on. */
function turnsOf(amount: number, periods: number): readonly (readonly number[])[] {
  return Array.from({ length: amount }, (_, nth) => {
    const turns: number[] = []
    let [startedAt, isPlaced] = [1_800_000_000_000, false]
    for (let turn = 0; turn < periods; turn += 1) {
      const dueAt = startedAt + PERIOD_MS
      const next = isPlaced ? { at: dueAt, isPlaced } : turnInPlace({ startedAt, dueAt, place: placeInPeriod(nth) })
      turns.push(next.at)
      startedAt = next.at
      isPlaced = next.isPlaced
    }
    return turns
  })
}

function inFifthsOfASecond(instants: readonly number[]): readonly number[] {
  const amounts = Array.from({ length: PERIOD_MS / 200 }, () => 0)
  for (const at of instants) {
    const fifth = Math.floor((at % PERIOD_MS) / 200)
    amounts[fifth] = (amounts[fifth] ?? 0) + 1
  }
  return amounts
}

test('1,000 that began at once are spread over their period from the second turn on, and stay so', () => {
  const turns = turnsOf(1_000, 50)
  for (const nth of [2, 49]) {
    const amounts = inFifthsOfASecond(turns.map((all) => all[nth] ?? 0))
    expect(Math.max(...amounts)).toBeLessThanOrEqual(5)
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(2)
  }
})

test('no first turn after they began at once is crowded either', () => {
  const first = inFifthsOfASecond(turnsOf(1_000, 1).map(([at]) => at ?? 0))
  expect(Math.max(...first)).toBeLessThanOrEqual(9)
})

test('a turn never comes late, nor before half of its period has gone, and the one after it at the latest is in its place', () => {
  const numbers = { startedAt: integer({ min: 0, max: 2e12 }), periodMs: integer({ min: 1_000, max: 1e8 }) }
  assert(
    property(record({ ...numbers, nth: nat(10_000) }), ({ nth, periodMs, startedAt }) => {
      const place = placeInPeriod(nth)
      const first = turnInPlace({ startedAt, dueAt: startedAt + periodMs, place })
      expect(first.at - startedAt).toBeGreaterThanOrEqual(Math.floor(periodMs / 2))
      expect(first.at - startedAt).toBeLessThanOrEqual(periodMs)
      if (first.isPlaced) return
      // Instants are whole milliseconds: a turn in its place may come one before half of the period.
      const second = turnInPlace({ startedAt: first.at - 1, dueAt: first.at - 1 + periodMs, place })
      expect(second.isPlaced).toBe(true)
    }),
  )
})
