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
