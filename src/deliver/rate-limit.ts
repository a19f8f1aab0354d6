import type { Subscription } from '../model/subscription.ts'
import { RequestWindow } from '../plan/key-budget.ts'
import type { Rate } from './availability.ts'

/**
 * Keeps every attempt of a subscription within its `rate`, across reloads. A new process starts with the full rate. An attempt
 * counts until `perMs` after it ended, not after it began: the request reached the endpoint somewhere in between, so the
 * endpoint itself never sees more than `requests` in a window.
 */
export class RateLimit implements Rate {
  readonly rate: NonNullable<Subscription['rate']>
  /** When attempts ended. */
  readonly #ended: RequestWindow
  #underWay: number

  /** Attempts made under the rate before it count under the new one. */
  constructor(rate: RateLimit['rate'], before: RateLimit | null) {
    this.rate = rate
    this.#ended = before === null ? new RequestWindow(rate) : before.#ended.under(rate)
    this.#underWay = before === null ? 0 : before.#underWay
  }

  begin(): void {
    this.#underWay += 1
  }

  end(now: number): void {
    this.#underWay = Math.max(0, this.#underWay - 1)
    this.#ended.spend(now)
  }

  /** How many attempts may be made at `now`. */
  room(now: number): number {
    return this.#ended.free(now) - this.#underWay
  }

  /** The first instant, from `now` on, at which those that have ended leave room. */
  readyAt(now: number): number {
    return this.#ended.readyAt(now)
  }
}
