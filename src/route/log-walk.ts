import type { LoggedEvent } from '../model/event.ts'
import { fullPayload } from '../model/payload.ts'
import type { JsonObject } from '../model/json.ts'
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

  /**
   * What the subscription is sent of the next event, which counts for `min_shift`; null: nothing. `payload` makes what its filter is judged
   * on, which several subscriptions may share.
   */
  told(event: LoggedEvent, payload: () => JsonObject): ToldEvent | null {
    const dates = this.#datesOf(event)
    const judged = judge(this.#subscription, { event, payload, dates })
    const { wanted, failure } = judged
    const lastTold = wanted ? dates.lastTold(this.#subscription, event) : null
    dates.remember(this.#subscription, event, wanted)
    return wanted ? { lastTold, failed: failure !== null } : null
  }

  /** The dates that it learned since it was last asked. */
  takeDates(): readonly AccountDates[] {
    return [...this.#accounts]
      .map(([account, dates]) => ({ account, dates: dates.takeChanges() }))
      .filter(({ dates }) => dates.length > 0)
  }

  #wants<E extends LoggedEvent>(event: E, isSent: IsSent<E>): boolean {
    const dates = this.#datesOf(event)
    const judged = judge(this.#subscription, { event, payload: () => fullPayload(event), dates })
    const wanted = judged.wanted && !(this.#subscription.minShiftMs !== null && isUnknownShift(event))
    dates.remember(this.#subscription, event, isSent(event, wanted))
    return wanted
  }

  #datesOf({ account }: LoggedEvent): NotifiedDates {
    const dates = this.#accounts.get(account) ?? new NotifiedDates([])
    this.#accounts.set(account, dates)
    return dates
  }
}

/** An event as a subscription is sent it. */
export interface ToldEvent {
  /** What its reader was told last of its date, where that is not what the date changed from. */
  readonly lastTold: number | null
  /** Whether its filter could not be judged, and let the event pass for that. */
  readonly failed: boolean
}

/** Nobody knows any more how far it went. */
function isUnknownShift(event: LoggedEvent): boolean {
  return event.expiredAt !== null && isDateShift(event)
}
