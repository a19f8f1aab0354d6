import { expect, test } from 'vitest'
import { answerOf, atHand, atOnce, awaited, type Lookup } from '../../src/store/reports/lookup.ts'

function* sum(one: Lookup<number>, other: Lookup<number>): Lookup<number> {
  return (yield* one) + (yield* other)
}

test('a lookup is one text for a store that answers at once and for one that is waited for', async () => {
  expect(atOnce(sum(atHand(1), atHand(2)))).toBe(3)
  expect(await awaited(sum(answerOf(Promise.resolve(1)), atHand(2)))).toBe(3)
})

test('what fails in a store ends the lookup', async () => {
  await expect(awaited(sum(atHand(1), answerOf(Promise.reject(new Error('away')))))).rejects.toThrow('away')
})

test('nothing that has to be waited for passes for an answer', () => {
  expect(() => atOnce(sum(atHand(1), answerOf(Promise.resolve(2))))).toThrow('nothing to wait for')
})
