import type { Spending } from '../model/account-limits.ts'
import type { AccountSettings } from '../model/account.ts'
import { allowedRequests } from './ceiling.ts'

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

/**
 * A request budget: at most `requests` in any window of `perMs`, because a token comes back exactly `perMs` after it was
 * spent. Instants are passed in; a clock that was set back costs one window at most.
 */
export class RequestWindow {
  readonly #requests: number
  readonly #perMs: number
  /** How many requests of the window may go for now. */
  #allowed: number
  /** Ring of the last `requests` spending times, none earlier than the one before; `#next` is the oldest once it is full. */
  #spent: number[] = []
  #next = 0

  constructor(budget: { readonly requests: number; readonly perMs: number }) {
    this.#requests = budget.requests
    this.#allowed = budget.requests
    this.#perMs = budget.perMs
  }

  /** The first instant, from `now` on, at which a token is free. */
  readyAt(now: number): number {
    this.#follow(now)
    const blocking = this.#spent.length - this.#allowed
    return blocking < 0 ? now : Math.max(now, this.#at(blocking) + this.#perMs)
  }

  /** How many tokens are free at `now`. */
  free(now: number): number {
    this.#follow(now)
    let back = 0
    let out = this.#spent.length
    while (back < out) {
      const middle = Math.floor((back + out) / 2)
      if (this.#at(middle) + this.#perMs <= now) back = middle + 1
      else out = middle
    }
    return Math.max(0, this.#allowed - (this.#spent.length - back))
  }

  /** From now on at most so many in any window, and never more than the budget; what was spent counts on. */
  allow(requests: number): void {
    this.#allowed = Math.min(Math.max(1, requests), this.#requests)
  }

  /** Takes the token that is free at `now`. */
  spend(now: number): void {
    this.#follow(now)
    this.#spent[this.#next] = now
    this.#next = (this.#next + 1) % this.#requests
  }

  /** Adds spending from before its own first one, earliest first. Later entries are ignored: it has counted those itself. */
  recall(spendings: readonly Spending[]): void {
    const known = Array.from(this.#spent, (_, index) => this.#at(index))
    const first = known[0] ?? Number.POSITIVE_INFINITY
    ;[this.#spent, this.#next] = [[], 0]
    for (const { at, amount } of spendings) {
      if (at >= first) break
      for (let count = Math.min(amount, this.#requests); count > 0; count -= 1) this.spend(at)
    }
    for (const at of known) this.spend(at)
  }

  /** The window of the spending so far under another budget: a budget that changes does not start anew. */
  under(budget: { readonly requests: number; readonly perMs: number }): RequestWindow {
    const window = new RequestWindow(budget)
    const known = this.#spent.length
    for (let index = Math.max(0, known - budget.requests); index < known; index += 1) window.spend(this.#at(index))
    return window
  }

  /** The spending times, counted from the oldest. */
  #at(index: number): number {
    const oldest = this.#spent.length < this.#requests ? 0 : this.#next
    return this.#spent[(oldest + index) % this.#requests] ?? Number.NEGATIVE_INFINITY
  }

  /** Where the clock was set back, what was spent after `now` counts as spent now. */
  #follow(now: number): void {
    if (this.#at(this.#spent.length - 1) > now) this.#spent = this.#spent.map((at) => Math.min(at, now))
  }
}

/** A flow of `requests` in `perMs`, evenly. */
export interface Flow {
  readonly requests: number
  readonly perMs: number
}

const CAPACITY = 0.05
/** What a token may lack, because sums of parts are rounded. */
const ROUNDING = 1e-9

/**
 * The smooth view of a flow: refills evenly, holds a twentieth of it (one request at least). Whoever spends does not ask it:
 * a burst leaves it in debt, by one flow at most. Instants are passed in; a clock that was set back refills nothing.
 */
export class TokenBucket {
  #flow: Flow
  #level: number
  #at = Number.NEGATIVE_INFINITY

  constructor(flow: Flow) {
    this.#flow = flow
    this.#level = this.#capacity
  }

  /** Refills at another rate from `now` on. */
  follow(flow: Flow, now: number): void {
    this.#refill(now)
    this.#flow = flow
    this.#level = Math.max(Math.min(this.#level, this.#capacity), -flow.requests)
  }

  spend(now: number, amount = 1): void {
    this.#refill(now)
    this.#level = Math.max(this.#level - amount, -this.#flow.requests)
  }

  /** The first instant, from `now` on, at which it holds a whole token, if nothing is spent until then. */
  readyAt(now: number): number {
    this.#refill(now)
    const missing = 1 - this.#level - ROUNDING
    return now + Math.max(0, Math.ceil(missing / this.#rate))
  }

  get #capacity(): number {
    return Math.max(1, this.#flow.requests * CAPACITY)
  }

  get #rate(): number {
    return this.#flow.requests / this.#flow.perMs
  }

  #refill(now: number): void {
    const elapsed = this.#at === Number.NEGATIVE_INFINITY ? 0 : Math.max(0, now - this.#at)
    this.#level = Math.min(this.#capacity, this.#level + elapsed * this.#rate)
    this.#at = now
  }
}
