import type { LoggedEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Subscription } from '../../model/subscription.ts'
import { LogWalk, type ToldEvent } from '../../route/log-walk.ts'
import { isAbout } from '../../route/matches.ts'

/**
 * The choices that subscriptions make of the log. Each is walked once, however many make it: what `min_shift` remembers of thousands of
 * shipments is kept once for all of them.
 */
export class ToldChoices {
  readonly #choices = new Map<string, Choice>()

  /** Two that choose alike are the same choice. */
  of(subscription: Subscription): Choice {
    const key = JSON.stringify(choiceOf(subscription))
    const known = this.#choices.get(key) ?? new Choice(subscription)
    this.#choices.set(key, known)
    return known
  }

  /** Drops what is remembered for a store alone. */
  forgetChanges(): void {
    for (const choice of this.#choices.values()) choice.forgetChanges()
  }
}

export class Choice {
  readonly #walk: LogWalk
  #last: { readonly event: LoggedEvent; readonly told: ToldEvent | null } | null = null

  constructor(subscription: Subscription) {
    this.#walk = new LogWalk({ ...subscription, name: NOBODY })
  }

  /** What a subscription that makes it is told of the next event, or of the same event again. */
  told(event: LoggedEvent, payload: () => JsonObject, subscription: Subscription): ToldEvent | null {
    if (this.#last?.event !== event) this.#last = { event, told: this.#walk.told(event, payload) }
    return isAbout(event, subscription) ? null : this.#last.told
  }

  forgetChanges(): void {
    this.#walk.takeDates()
  }
}

/** No endpoint has this name. */
const NOBODY = ''

/** Everything of a subscription but its name that decides which events it is sent. */
function choiceOf({ accounts, alert, channel, events, filter, minShiftMs }: Subscription): unknown {
  return [accounts, alert, events, filter?.expression ?? null, minShiftMs, channel.omit ?? null]
}
