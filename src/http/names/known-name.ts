import type { LookupAddress } from 'node:dns'
import type { DnsAnswer } from './dns-answer.ts'
import { NameFailure, noAnswer } from './name-failure.ts'

/** Bounds of a DNS life. Whoever asks for a shorter one spreads load and loses little; a longer one would hide that a host moved. */
const SHORTEST_MS = 5_000
const LONGEST_MS = 300_000
/** How long a name that came to nothing is not asked for again. */
const REST_MS = 5_000
/** How long old addresses serve while nobody answers (RFC 8767). */
const STALE_MS = 3_600_000

/** What look-ups taught of a name. */
export interface KnownName {
  readonly good: { readonly addresses: readonly LookupAddress[]; readonly at: number; readonly freshMs: number } | null
  /** The last look-up, where it found no address. */
  readonly bad: { readonly failure: NameFailure; readonly at: number; readonly hung: boolean } | null
}

export interface Asking {
  readonly kind: 'ask'
  /** The addresses that serve where no answer comes. */
  readonly stale: readonly LookupAddress[] | null
  /** Whether no answer came the last time. */
  readonly hung: boolean
}

export type Advice =
  | { readonly kind: 'use'; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: 'fail'; readonly failure: NameFailure }
  | Asking

export const UNKNOWN_NAME: KnownName = { good: null, bad: null }

/** "The name does not exist" is an answer, too, and takes known addresses away. A missing answer does not. */
export function learn({ good }: KnownName, answer: DnsAnswer, at: number): KnownName {
  switch (answer.kind) {
    case 'found': {
      const freshMs = Math.min(Math.max(answer.ttlMs, SHORTEST_MS), LONGEST_MS)
      return { good: { addresses: answer.addresses, at, freshMs }, bad: null }
    }
    case 'unknown': {
      const failure = new NameFailure('ENOTFOUND', 'the DNS knows no address of it')
      return { good: null, bad: { failure, at, hung: false } }
    }
    case 'failed':
      return { good, bad: { failure: new NameFailure('EAI_AGAIN', answer.reason), at, hung: false } }
    case 'hung':
      return { good, bad: { failure: noAnswer(), at, hung: true } }
    default:
      return answer satisfies never
  }
}

export function advise({ good, bad }: KnownName, now: number): Advice {
  if (good !== null && isWithin(good.freshMs, good.at, now)) return { kind: 'use', addresses: good.addresses }
  const stale = good !== null && isWithin(good.freshMs + STALE_MS, good.at, now) ? good.addresses : null
  if (bad === null || !isWithin(REST_MS, bad.at, now)) return { kind: 'ask', stale, hung: bad?.hung ?? false }
  return stale === null ? { kind: 'fail', failure: bad.failure } : { kind: 'use', addresses: stale }
}

/** An age. What was learnt in the future was learnt before the clock was set back, nobody knows how long ago. */
function isWithin(ms: number, at: number, now: number): boolean {
  return now >= at && now - at < ms
}
