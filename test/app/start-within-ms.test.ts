import { expect, test } from 'vitest'
import { startWithinMs } from '../../src/app/start-within-ms.ts'

const HOST = 'https://platform.example'

function of(baseUrl: string, everyMs: number) {
  return { baseUrl, watch: { documents: { everyMs, ignore: [] } } }
}

test('accounts of one host start apart, for seconds at most and a tenth of the smallest `every`; one alone at once', () => {
  const fifty = Array.from({ length: 50 }, () => of(HOST, 3_600_000))
  const [first] = fifty
  if (first === undefined) throw new Error('no account')
  expect(startWithinMs(first, fifty)).toBe(9_800)
  expect(startWithinMs(first, [...fifty, ...fifty.map(() => of(HOST, 60_000))])).toBe(10_000)
  expect(startWithinMs(first, [first, ...fifty.map(() => of('https://elsewhere.example', 60_000))])).toBe(0)
  const hasty = of(HOST, 5_000)
  expect(startWithinMs(hasty, [...fifty, hasty])).toBe(500)
  const idle = { ...hasty, watch: {} }
  expect(startWithinMs(idle, [idle, hasty])).toBe(200)
})
