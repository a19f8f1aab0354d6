import { randomOf, type Random } from './random.ts'
import type { FaultRates } from './fault-rates.ts'

/** Decides what goes wrong with a request. */
export interface FaultSource {
  /** To be asked once for each request; null: nothing. */
  answerFault(request: Asked): AnswerFault | null
  /** By how many rows the page of a list has shifted; negative: rows of earlier pages come again. */
  rowShift(request: Asked): number
}

type AnswerFault =
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'error' | 'stall' | 'html' }
  /** `part`: of the body that still comes. */
  | { readonly kind: 'broken'; readonly part: number }

type Asked = Pick<Request, 'method' | 'url'>

const MOST_ROWS = 3
const LONGEST_RETRY_AFTER = 3

/**
 * Seeded: the n-th request for the same thing always meets the same fate, whatever else is asked for in between, so that
 * clients that ask in parallel are repeatable too.
 */
export function faultSource({ rates, seed }: { readonly rates: FaultRates; readonly seed: string }): FaultSource {
  const answerRandom = streams(seed, 'fault')
  const shiftRandom = streams(seed, 'shift')
  return {
    answerFault: (request) => draw(rates, answerRandom(request)),
    rowShift: (request) => {
      const random = shiftRandom(request)
      if (!random.chance(rates.shift)) return 0
      return random.whole(1, MOST_ROWS) * (random.chance(0.5) ? 1 : -1)
    },
  }
}

/** A stream for each request, named by what is asked for and how often it was before. The origin does not count. */
function streams(seed: string, purpose: string): (request: Asked) => Random {
  const asked = new Map<string, number>()
  return ({ method, url }) => {
    const { pathname, search } = new URL(url)
    const what = `${method} ${pathname}${search}`
    const nth = asked.get(what) ?? 0
    asked.set(what, nth + 1)
    return randomOf(seed, purpose, what, nth)
  }
}

function draw(rates: FaultRates, random: Random): AnswerFault | null {
  let rest = random.next()
  const hits = (rate: number): boolean => {
    rest -= rate
    return rest < 0
  }
  if (hits(rates['429'])) return { kind: 'throttled', retryAfterSeconds: random.whole(1, LONGEST_RETRY_AFTER) }
  if (hits(rates['500'])) return { kind: 'error' }
  if (hits(rates.stall)) return { kind: 'stall' }
  if (hits(rates.broken)) return { kind: 'broken', part: random.between(0.1, 0.95) }
  return hits(rates.html) ? { kind: 'html' } : null
}
