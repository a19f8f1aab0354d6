import { describe, expect, test } from 'vitest'
import type { LearnedCeiling } from '../../src/model/account-limits.ts'
import { afterRequest, CALM } from '../../src/plan/backoff.ts'
import { afterAnswer } from '../../src/plan/ceiling.ts'
import { KeyBudget } from '../../src/plan/key-budget.ts'
import { randomOf } from '../../src/sandbox/random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LATENCY = 200

/** Answers a request at an instant; a number: refused, with so many milliseconds of `Retry-After`, null: with none. */
type Answering = (at: number) => 'answered' | number | null

interface Life {
  /** Of the requests that the platform would have answered. */
  readonly used: number
  /** Of all requests. */
  readonly refused: number
  /** Refusals until no more was sent than the platform bears, probes of the back-off among them. */
  readonly untilBelow: number
}

/** Sends evenly as much as it may: the budget, the back-off and the ceiling as a limiter puts them together. */
function live(
  answering: Answering,
  { budget, bears, forMs = 24 * HOUR }: { budget: number; bears: number; forMs?: number },
): Life {
  const key = new KeyBudget([{ requests: budget, perMs: MINUTE, concurrency: 1, share: 1 }])
  const random = randomOf('ceiling', 'back-off')
  let ceiling: LearnedCeiling | null = null
  let backoff = CALM
  let [answered, refused, untilBelow] = [0, 0, Number.POSITIVE_INFINITY]
  for (let now = 0; now < forMs;) {
    const readyAt = Math.max(key.spareAt(now), backoff.notBefore)
    if (readyAt > now) {
      now = readyAt
      continue
    }
    key.spend(now)
    const answer = answering(now)
    const times = { sentAt: now, answeredAt: now + LATENCY, retryAfterMs: answer === 'answered' ? null : answer }
    now += LATENCY
    if (answer === 'answered') answered += 1
    else refused += 1
    const result = answer === 'answered' ? 'success' : 'throttled'
    backoff = afterRequest(backoff, { result, ...times }, random.next())
    ceiling = afterAnswer(ceiling, { sign: answer === 'answered' ? 'clean' : 'overload', ...times })
    key.limit(ceiling?.fraction ?? 1, now)
    if (refused > 0 && (ceiling?.fraction ?? 1) <= bears) untilBelow = Math.min(untilBelow, refused)
  }
  const borne = (Math.min(1, bears) * budget * forMs) / MINUTE
  return { used: answered / borne, refused: refused / (answered + refused), untilBelow }
}

/** Refuses so many at random, whatever the load. */
function atRandom(seed: string, part: number, retryAfterMs: () => number | null): Answering {
  const random = randomOf('ceiling', seed)
  return () => (random.next() < part ? retryAfterMs() : 'answered')
}

/** So many in each minute of the clock; says how long until the next, or does not. */
function window(most: number, says: boolean): Answering {
  let [minute, sent] = [-1, 0]
  return (at) => {
    const nth = Math.floor(at / MINUTE)
    if (nth !== minute) [minute, sent] = [nth, 0]
    sent += 1
    if (sent <= most) return 'answered'
    return says ? (nth + 1) * MINUTE - at : null
  }
}

/** So many in a minute, a few at once. */
function bucket(most: number): Answering {
  let [level, filledAt] = [5, 0]
  return (at) => {
    level = Math.min(5, level + ((at - filledAt) * most) / MINUTE)
    filledAt = at
    if (level < 1) return null
    level -= 1
    return 'answered'
  }
}

/** So many in any minute; who sends more has to rest for one. */
function strict(most: number): Answering {
  let sent: readonly number[] = []
  return (at) => {
    sent = sent.filter((each) => each > at - MINUTE)
    if (sent.length >= most) return MINUTE
    sent = [...sent, at]
    return 'answered'
  }
}

describe('what is sent to a platform that refuses some', () => {
  test.each(['one', 'two', 'three'])('by chance, one in a hundred: most of the budget (%s)', (seed) => {
    const rest = randomOf('ceiling', seed, 'rest')
    const short = live(
      atRandom(seed, 0.01, () => rest.whole(1, 3) * 1_000),
      { budget: 60, bears: 1 },
    )
    const silent = live(
      atRandom(seed, 0.01, () => null),
      { budget: 60, bears: 1 },
    )
    const small = live(
      atRandom(seed, 0.01, () => null),
      { budget: 6, bears: 1 },
    )
    expect(Math.min(short.used, silent.used)).toBeGreaterThan(0.7)
    expect(small.used).toBeGreaterThan(0.95)
  })

  test.each([
    ['a window that says how long it lasts', (most: number) => window(most, true)],
    ['a window that says nothing', (most: number) => window(most, false)],
    ['a bucket', bucket],
  ])('for a limit, %s: hardly more than it bears, soon, and most of that', (_name, limit) => {
    const half = live(limit(30), { budget: 60, bears: 0.5 })
    expect(half.untilBelow).toBeLessThanOrEqual(2)
    expect(half.used).toBeGreaterThan(0.9)
    expect(half.refused).toBeLessThan(0.04)
    const fifth = live(limit(12), { budget: 60, bears: 0.2 })
    expect(fifth.untilBelow).toBeLessThanOrEqual(10)
    expect(fifth.used).toBeGreaterThan(0.8)
    const near = live(limit(54), { budget: 60, bears: 0.9 })
    expect(near.used).toBeGreaterThan(0.9)
    expect(near.refused).toBeLessThan(0.02)
  })

  test('with a long rest: half at once, and seldom again', () => {
    const { refused, untilBelow, used } = live(strict(30), { budget: 60, bears: 0.5 })
    expect(untilBelow).toBe(1)
    expect(refused).toBeLessThan(0.01)
    expect(used).toBeGreaterThan(0.6)
  })
})
