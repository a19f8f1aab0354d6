import type { Random } from '../../src/sandbox/random.ts'

/** The list with one of its elements changed; as it is where it is empty. */
export function edited<T>(random: Random, list: readonly T[], change: (each: T) => T): readonly T[] {
  if (list.length === 0) return list
  const index = random.whole(0, list.length - 1)
  return list.map((each, at) => (at === index ? change(each) : each))
}

/** The list without one of its elements. */
export function dropped<T>(random: Random, list: readonly T[]): readonly T[] {
  if (list.length === 0) return list
  const index = random.whole(0, list.length - 1)
  return list.filter((_, at) => at !== index)
}

/** Now and then one that the calendar of a life comes by: some days before or after it began. */
export function someDate(random: Random, era: number): string {
  if (random.chance(0.6)) return farDate(random)
  return new Date(era + random.whole(-4 * 1_440, 16 * 1_440) * 60_000).toISOString()
}

export function someDay(random: Random, era: number): string {
  return someDate(random, era).slice(0, 10)
}

/** A date that no calendar of a life reaches. */
export function farDate(random: Random): string {
  return new Date(Date.UTC(2031, 0, 1) + random.whole(0, 200_000) * 60_000).toISOString()
}

/** Cents, so that no two of them cancel out by chance. */
export function amount(random: Random): number {
  return random.whole(1_000, 99_999_999) / 100
}
