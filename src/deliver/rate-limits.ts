import { isDeepStrictEqual } from 'node:util'
import type { Subscription } from '../model/subscription.ts'
import { RequestWindow } from '../plan/request-window.ts'

interface Meter {
  readonly rate: NonNullable<Subscription['rate']>
  /** When attempts ended. */
  readonly ended: RequestWindow
  underWay: number
}

/**
 * Keeps every attempt of a subscription within its `rate`, across reloads; a new process starts with a full one. An attempt
 * gives its token back `perMs` after it ended, not after it began: the request reached the endpoint somewhere in between,
 * and so the endpoint itself never sees more than `requests` in a window.
 */
export class RateLimits {
  readonly #meters = new Map<string, Meter>()

  /** Follows a reload: attempts made under the old rate count under the new one. */
  follow(subscriptions: readonly Subscription[]): void {
    for (const { name, rate } of subscriptions) {
      const meter = this.#meters.get(name)
      if (rate === null) this.#meters.delete(name)
      else if (!isDeepStrictEqual(meter?.rate, rate)) this.#meters.set(name, meterOf(rate, meter))
    }
  }

  /** Of `places` for each subscription, those that the rates leave; without the subscriptions that have none. */
  within(places: ReadonlyMap<string, number>, now: number): ReadonlyMap<string, number> {
    const left = [...places].map(([name, free]): [string, number] => [name, Math.min(free, this.#room(name, now))])
    return new Map(left.filter(([, free]) => free > 0))
  }

  begin(subscription: string): void {
    const meter = this.#meters.get(subscription)
    if (meter !== undefined) meter.underWay += 1
  }

  end(subscription: string, now: number): void {
    const meter = this.#meters.get(subscription)
    if (meter === undefined) return
    meter.underWay = Math.max(0, meter.underWay - 1)
    meter.ended.spend(now)
  }

  /** The first instant at which one of these, with no attempt to make now, may make one; null where each can already. */
  nextAt(subscriptions: Iterable<string>, now: number): number | null {
    let next: number | null = null
    for (const name of subscriptions) {
      const at = this.#meters.get(name)?.ended.readyAt(now) ?? now
      if (at > now && (next === null || at < next)) next = at
    }
    return next
  }

  #room(subscription: string, now: number): number {
    const meter = this.#meters.get(subscription)
    return meter === undefined ? Number.POSITIVE_INFINITY : meter.ended.free(now) - meter.underWay
  }
}

function meterOf(rate: Meter['rate'], before: Meter | undefined): Meter {
  return {
    rate,
    ended: before?.ended.under(rate) ?? new RequestWindow(rate),
    underWay: before?.underWay ?? 0,
  }
}
