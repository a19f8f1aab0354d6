/**
 * A request budget: at most `requests` in any window of `perMs`, because a token comes back exactly `perMs` after it was
 * spent. Instants are passed in; a clock that was set back costs one window at most.
 */
export class RequestWindow {
  readonly #requests: number
  readonly #perMs: number
  /** Ring of the last `requests` spending times; `#next` is the oldest once it is full. */
  #spent: number[] = []
  #next = 0

  constructor(budget: { readonly requests: number; readonly perMs: number }) {
    this.#requests = budget.requests
    this.#perMs = budget.perMs
  }

  /** The same spending under another budget: a budget that changes does not start anew. */
  under(budget: { readonly requests: number; readonly perMs: number }): RequestWindow {
    const next = new RequestWindow(budget)
    const inOrder = [...this.#spent.slice(this.#next), ...this.#spent.slice(0, this.#next)]
    for (const at of inOrder.slice(-budget.requests)) next.spend(at)
    return next
  }

  /** The first instant, from `now` on, at which a token is free. */
  readyAt(now: number): number {
    const oldest = this.#spent.length < this.#requests ? undefined : this.#spent[this.#next]
    if (oldest === undefined) return now
    if (oldest > now) this.#spent = this.#spent.map((at) => Math.min(at, now))
    return Math.max(now, Math.min(oldest, now) + this.#perMs)
  }

  /** Takes the token that is free at `now`. */
  spend(now: number): void {
    this.#spent[this.#next] = now
    this.#next = (this.#next + 1) % this.#requests
  }
}
