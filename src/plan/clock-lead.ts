import type { Exchange } from '../model/exchange.ts'

/** Clocks that differ by no more are taken for the same. */
const TOLERATED_MS = 2 * 60_000

/**
 * How far this machine's clock was ahead of the platform's when an answer came (negative: behind); 0 where they agree as far as
 * anybody can tell, null where the answer does not say. `calendarOffsetMs`: how far the calendar is from the clock, where a
 * simulated platform drives it and may date its answers by it.
 */
export function clockLead(exchange: Exchange, calendarOffsetMs: number): number | null {
  const { answeredAt, platformClock, sentAt } = exchange
  if (platformClock === undefined) return null
  const [real, simulated] = [0, calendarOffsetMs].map((offset) =>
    beyond({ from: sentAt + offset, to: answeredAt + offset }, platformClock),
  )
  return simulated === 0 ? 0 : (real ?? 0)
}

/** How far a span lies after an instant, or (negative) before it. 0 where the instant is within it, or nearly. */
function beyond({ from, to }: { readonly from: number; readonly to: number }, at: number): number {
  if (from - at > TOLERATED_MS) return from - at
  return at - to > TOLERATED_MS ? to - at : 0
}
