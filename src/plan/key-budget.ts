import type { AccountSettings } from '../model/account.ts'
import type { Spending } from '../model/account-limits.ts'
import { allowedRequests } from './ceiling.ts'
import { RequestWindow } from './request-window.ts'
import { TokenBucket, type Flow } from './token-bucket.ts'

export type RequestBudget = AccountSettings['budget']

interface Limit {
  readonly requests: number
  readonly perMs: number
  readonly share: number
}

/**
 * What a key may be asked: every budget that is configured for it holds, under one learned ceiling and with room left for
 * those who share the key. Beside the exact windows, one smooth view of what is left over.
 */
export class KeyBudget {
  #limits: ReadonlyMap<string, Limit & { readonly window: RequestWindow }>
  #fraction = 1
  #concurrency: number
  readonly #bucket: TokenBucket
  #hasSpent = false

  constructor(budgets: readonly RequestBudget[]) {
    this.#limits = new Map(
      [...limitsOf(budgets)].map(([name, limit]) => [name, { ...limit, window: new RequestWindow(limit) }]),
    )
    this.#concurrency = concurrencyOf(budgets)
    this.#bucket = new TokenBucket(this.#allow())
  }

  /** What the budget lets go, under its ceiling. */
  get flow(): Flow {
    return this.#allow()
  }

  /** How many may be under way at once. */
  get concurrency(): number {
    return this.#concurrency
  }

  /** For how long a request counts. */
  get longestMs(): number {
    return [...this.#limits.values()].reduce((longest, { perMs }) => Math.max(longest, perMs), 0)
  }

  /** Puts other budgets in force; what was spent counts under them. */
  follow(budgets: readonly RequestBudget[], now: number): void {
    const before = this.#limits
    const [first, ...others] = [...before.values()]
    const longest = others.reduce((most, limit) => (limit.requests > (most?.requests ?? 0) ? limit : most), first)
    this.#limits = new Map(
      [...limitsOf(budgets)].map(([name, limit]) => {
        const window = before.get(name)?.window ?? longest?.window.under(limit) ?? new RequestWindow(limit)
        return [name, { ...limit, window }]
      }),
    )
    this.#concurrency = concurrencyOf(budgets)
    this.#bucket.follow(this.#allow(), now)
  }

  /** Lets so much of the budgets go, in (0, 1]. */
  limit(fraction: number, now: number): void {
    if (fraction === this.#fraction) return
    this.#fraction = fraction
    this.#bucket.follow(this.#allow(), now)
  }

  /** The first instant, from `now` on, at which a request may be sent. */
  readyAt(now: number): number {
    let readyAt = now
    for (const { window } of this.#limits.values()) readyAt = Math.max(readyAt, window.readyAt(now))
    return readyAt
  }

  /** The first instant, from `now` on, at which a request may be sent that is missed by none that has to be. */
  spareAt(now: number): number {
    return Math.max(this.readyAt(now), this.#bucket.readyAt(now))
  }

  /** How many requests the windows let go at `now`. */
  free(now: number): number {
    return Math.min(...[...this.#limits.values()].map(({ window }) => window.free(now)))
  }

  spend(now: number): void {
    this.#hasSpent = true
    for (const { window } of this.#limits.values()) window.spend(now)
    this.#bucket.spend(now)
  }

  /** Adds what earlier processes spent in its longest window, earliest first. What this process spent it has counted itself. */
  recall(spendings: readonly Spending[]): void {
    for (const { window } of this.#limits.values()) window.recall(spendings)
    if (this.#hasSpent) return
    this.#hasSpent = true
    for (const { at, amount } of spendings) this.#bucket.spend(at, amount)
  }

  /** Sets what the windows may let go. Returns the flow that the narrowest of them is. */
  #allow(): Flow {
    const flows = [...this.#limits.values()].map((limit) => {
      const allowed = allowedRequests(limit, this.#fraction)
      limit.window.allow(allowed)
      return { requests: allowed, perMs: limit.perMs }
    })
    return flows.reduce((least, flow) => (rateOf(flow) < rateOf(least) ? flow : least))
  }
}

/** One for each kind of window; of those that name different shares, the smallest holds. */
function limitsOf(budgets: readonly RequestBudget[]): ReadonlyMap<string, Limit> {
  const limits = new Map<string, Limit>()
  for (const { requests, perMs, share } of budgets) {
    const name = `${requests}/${perMs}`
    limits.set(name, { requests, perMs, share: Math.min(share, limits.get(name)?.share ?? 1) })
  }
  return limits
}

function concurrencyOf(budgets: readonly RequestBudget[]): number {
  return Math.min(...budgets.map(({ concurrency }) => concurrency))
}

function rateOf({ requests, perMs }: Flow): number {
  return requests / perMs
}
