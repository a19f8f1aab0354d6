import { expect, test } from 'vitest'
import { firstInLane, keepsPlace, turnOfNew } from '../../src/ledger/follow.ts'

test('the turn has the row under way, or else the oldest', () => {
  const row = { isClaimed: false }
  expect(firstInLane([])).toBeUndefined()
  expect(
    firstInLane([
      { ...row, event: 7 },
      { ...row, event: 3 },
    ]),
  ).toMatchObject({ event: 3 })
  expect(
    firstInLane([
      { isClaimed: true, event: 7 },
      { ...row, event: 3 },
    ]),
  ).toMatchObject({ event: 7 })
})

test.each([
  ['pending', false, true],
  ['held', false, true],
  ['discarded', true, true],
  ['discarded', false, false],
  ['delivered', false, false],
  ['exhausted', false, false],
] as const)('a row that is %s, claimed: %s, keeps its place: %s', (...[state, isClaimed, keeps]) => {
  expect(keepsPlace({ state, isClaimed })).toBe(keeps)
})

test('a new row lines up where events go in their order', () => {
  expect([turnOfNew(0), turnOfNew(1)]).toEqual([null, 0])
})
