import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'

const MOST = 20
const WINDOW_MS = 60_000
const REFUSED_FOR_MS = 60_000
/** How many addresses are remembered: those that failed longest ago are forgotten first. */
const MOST_ADDRESSES = 1_000

interface Failures {
  /** When, by the monotonic clock, the oldest first. */
  readonly at: readonly number[]
  readonly refusedUntil: number
}

/**
 * Limits guessing at tokens, as Bearer and at `/login` together, by the address of the connection: after twenty wrong ones within a
 * minute further wrong ones are refused for a minute, which is logged once. A right token is asked for first, so nobody who has one
 * is locked out by who guesses behind the same address.
 */
export class WrongTokens {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #log: Logger
  readonly #failures = new Map<string, Failures>()

  constructor({ clock, log }: { readonly clock: Pick<Clock, 'monotonic'>; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  /** A wrong token was shown. Returns for how long all others are refused (milliseconds); 0: this one is only wrong. */
  shown(address: string): number {
    const now = this.#clock.monotonic()
    const known = this.#failures.get(address)
    if (known !== undefined && known.refusedUntil > now) return known.refusedUntil - now
    const at = [...(known?.at ?? []).filter((each) => each > now - WINDOW_MS), now]
    const isTooMany = at.length >= MOST
    this.#failures.delete(address)
    this.#failures.set(address, { at: isTooMany ? [] : at, refusedUntil: isTooMany ? now + REFUSED_FOR_MS : now })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MOST_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest)
    if (isTooMany)
      this.#log.warn({ peer: address, wrong_tokens: MOST, seconds: REFUSED_FOR_MS / 1_000 }, 'admin.refused')
    return 0
  }
}
