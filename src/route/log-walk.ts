import type { LoggedEvent } from '../model/event.ts'
import { fullPayload } from '../model/payload.ts'
import type { AccountDates } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { isDateShift, judge, NotifiedDates } from './route.ts'

/** Whether an event was sent to the subscription, or is about to be. */
type IsSent<E> = (event: E, wanted: boolean) => boolean

/**
 * What a subscription wants of the log, whose events it is shown in order. `min_shift` compares with what was sent before, so
 * where there is one the walk begins with the first event of all.
 */
export class LogWalk {
  readonly #subscription: Subscription
  readonly #accounts = new Map<string | null, NotifiedDates>()

  constructor(subscription: Subscription) {
    this.#subscription = subscription
  }

  /** Which of the events the subscription wants. Those that are sent count for `min_shift`, wanted or not. */
  wanted<E extends LoggedEvent>(events: readonly E[], isSent: IsSent<E> = (_, wanted) => wanted): ReadonlySet<E> {
    return new Set(events.filter((event) => this.#wants(event, isSent)))
  }

  /** The dates that it learned since it was last asked. */
  takeDates(): readonly AccountDates[] {
    return [...this.#accounts]
      .map(([account, dates]) => ({ account, dates: dates.takeChanges() }))
      .filter(({ dates }) => dates.length > 0)
  }

  #wants<E extends LoggedEvent>(event: E, isSent: IsSent<E>): boolean {
    const dates = this.#accounts.get(event.account) ?? new NotifiedDates([])
    this.#accounts.set(event.account, dates)
    const judged = judge(this.#subscription, { event, payload: () => fullPayload(event), dates })
    const wanted = judged.wanted && !(this.#subscription.minShiftMs !== null && isUnknownShift(event))
    dates.remember(this.#subscription, event, isSent(event, wanted))
    return wanted
  }
}

/** Nobody knows any more how far it went. */
function isUnknownShift(event: LoggedEvent): boolean {
  return event.expiredAt !== null && isDateShift(event)
}
