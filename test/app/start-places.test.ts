import { expect, test } from 'vitest'
import { startPlaces } from '../../src/app/start-places.ts'

const HOST = 'https://platform.example'

function accounts(amount: number, everyMs: number, baseUrl = HOST) {
  const watch = { documents: { everyMs, ignore: [] } }
  return Array.from({ length: amount }, (_, n) => ({
    name: `${new URL(baseUrl).host}-${n}-${everyMs}`,
    baseUrl,
    watch,
  }))
}

/** How many start in each of so many equal parts of `withinMs`. */
function inParts(
  starts: readonly number[],
  { parts, withinMs }: { parts: number; withinMs: number },
): readonly number[] {
  const amounts = Array.from({ length: parts }, () => 0)
  for (const start of starts) {
    const part = Math.floor((start / withinMs) * parts)
    amounts[part] = (amounts[part] ?? 0) + 1
  }
  return amounts
}

function startsOf(starting: ReturnType<typeof accounts>, all = starting): readonly number[] {
  return [...startPlaces(starting, all).values()].map(({ afterMs }) => afterMs)
}

test('accounts of one host start evenly within their smallest `every`', () => {
  const amounts = inParts(startsOf(accounts(1_000, 20_000)), { parts: 100, withinMs: 20_000 })
  expect(Math.min(...amounts)).toBeGreaterThanOrEqual(9)
  expect(Math.max(...amounts)).toBeLessThanOrEqual(11)
})

test('a few start within moments, the first at once, and one alone at once', () => {
  expect(Math.max(...startsOf(accounts(5, 3_600_000)))).toBeLessThan(1_000)
  expect(startsOf(accounts(5, 3_600_000))[0]).toBe(0)
  const [alone] = accounts(1, 3_600_000, 'https://elsewhere.example')
  if (alone === undefined) throw new Error('no account')
  const places = startPlaces([alone, ...accounts(9, 60_000)], [alone, ...accounts(9, 60_000)])
  expect(places.get(alone.name)).toEqual({ afterMs: 0, place: null })
  expect(startPlaces([{ ...alone, watch: {} }], [alone]).get(alone.name)).toEqual({ afterMs: 0, place: null })
})

test('an account that starts alone does so at once, and has its place among all', () => {
  const all = accounts(100, 60_000)
  const [, , third] = all
  if (third === undefined) throw new Error('no account')
  const alone = startPlaces([third], all).get(third.name)
  expect(alone).toEqual({ afterMs: 0, place: startPlaces(all, all).get(third.name)?.place })
  expect(alone?.place).toBeGreaterThan(0)
})
