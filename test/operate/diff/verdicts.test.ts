import { expect, it } from 'vitest'
import { Verdicts } from '../../../src/operate/diff/verdicts.ts'

function name(nth: number): string {
  return `${nth} `.padEnd(440, 'x')
}

it('verdicts that were asked for lately are kept, others go', () => {
  const verdicts = new Verdicts()
  let isFirstKnown = true
  for (let nth = 0; nth < 100_000; nth += 1) {
    verdicts.set(name(nth), nth % 2 === 0)
    isFirstKnown &&= verdicts.get(name(0)) === true
  }
  expect(isFirstKnown).toBe(true)
  const kept = Array.from({ length: 100_000 }, (_, nth) => verdicts.get(name(nth)))
  expect(kept.at(-1)).toBe(false)
  expect(kept.filter((verdict) => verdict !== undefined).length).toBeLessThan(32_010)
})

it('what is not known is told from what cannot be told', () => {
  const verdicts = new Verdicts()
  verdicts.set('a', null)
  verdicts.set('b'.repeat(501), true)
  expect([verdicts.get('a'), verdicts.get('b'.repeat(501))]).toEqual([null, undefined])
})
