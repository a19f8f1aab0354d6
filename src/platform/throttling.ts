import { header, type Headers } from '../http/exchange.ts'
import { answerClock, parseHeaderDate } from '../model/instant.ts'
import { LONGEST_RETRY_AFTER_MS, parseRetryAfter } from '../model/retry-after.ts'

/** The names that platforms give what is left of a rate limit, and when it begins anew. */
const REMAINING = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'] as const
const RESET = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'] as const

/** More seconds than these are an instant: seconds since 1970, or milliseconds. */
const INSTANT_S = 1e9
const INSTANT_MS = 1e12

/** What an answer says of a rate limit. */
export interface RateLimit {
  /** Whether the answer asks to be left alone: it says until when, or that nothing is left. */
  readonly isExhausted: boolean
  /** How long the platform wants to be left alone; null where it does not say. */
  readonly waitMs: number | null
}

/** By `Retry-After`, or else by the headers of rate limits; dates are counted from the answer's own. */
export function rateLimitOf(headers: Headers, now: number): RateLimit {
  const clock = answerClock((name) => header(headers, name)) ?? now
  const retryAfterMs = parseRetryAfter(header(headers, 'retry-after'), clock)
  const policies = policiesOf(header(headers, 'ratelimit'))
  const spent = policies.filter(({ remaining }) => remaining === 0)
  const isSpent = REMAINING.some((name) => numberIn(header(headers, name)) === 0) || spent.length > 0
  const said = RESET.map((name) => resetMs(header(headers, name), clock))
  const resets = [...said, ...(spent.length > 0 ? spent : policies).map((each) => each.resetMs)]
  const waits = retryAfterMs === null ? resets.filter((ms) => ms !== null) : [retryAfterMs]
  const waitMs = waits.length === 0 ? null : Math.min(Math.max(...waits), LONGEST_RETRY_AFTER_MS)
  return { isExhausted: retryAfterMs !== null || isSpent, waitMs }
}

interface Policy {
  readonly remaining: number | null
  readonly resetMs: number | null
}

/** `RateLimit: "default";r=0;t=6`, or as earlier drafts have it: `limit=100, remaining=0, reset=6`. */
function policiesOf(text: string): readonly Policy[] {
  if (text === '') return []
  const lists = /\b(?:remaining|reset)=/i.test(text) ? [text] : text.split(',')
  return lists.map((each) => {
    const remaining = /(?:^|[;,\s])(?:r|remaining)=(\d+)/i.exec(each)?.[1] ?? ''
    const reset = /(?:^|[;,\s])(?:t|reset)=(\d+)/i.exec(each)?.[1] ?? ''
    return { remaining: numberIn(remaining), resetMs: resetMs(reset, 0) }
  })
}

function resetMs(text: string, clock: number): number | null {
  const value = numberIn(text)
  if (value === null) {
    const date = parseHeaderDate(text)
    return date === null ? null : Math.max(date - clock, 0)
  }
  if (value > INSTANT_MS) return Math.max(value - clock, 0)
  return Math.max(value > INSTANT_S ? value * 1_000 - clock : Math.ceil(value * 1_000), 0)
}

function numberIn(text: string): number | null {
  return /^\s*\d{1,20}(?:\.\d{1,20})?\s*$/.test(text) ? Number(text) : null
}
