import type { Spending } from '../model/account-limits.ts'

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
