/**
 * The golden ratio's fractional part: its multiples, modulo 1, lie evenly in [0, 1) however many there are (Knuth, TAOCP 3, 6.4,
 * theorem S).
 */
const GOLDEN = 0.618033988749895

/** Where in its period the nth of several who do the same thing has its turn: from 0 to below 1, evenly for any number of them. */
export function placeInPeriod(nth: number): number {
  return (nth * GOLDEN) % 1
}

export interface PlacedTurn {
  readonly at: number
  /** Whether a turn at that instant is in its place; otherwise the one after it will be. */
  readonly isPlaced: boolean
}

/**
 * When the next turn begins, at `dueAt` or before, so that turns come to `place` in their period. None begins before half of the
 * period has gone: where the place is nearer, the turn after the next one comes to it. Those who began together are apart at
 * once, either way.
 */
export function turnInPlace({
  dueAt,
  place,
  startedAt,
}: {
  startedAt: number
  dueAt: number
  place: number
}): PlacedTurn {
  const periodMs = dueAt - startedAt
  const sinceMs = modulo(startedAt - place * periodMs, periodMs)
  const leftMs = periodMs - sinceMs
  const isPlaced = leftMs >= periodMs / 2
  return { at: Math.floor(startedAt + leftMs + (isPlaced ? 0 : periodMs / 2)), isPlaced }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
