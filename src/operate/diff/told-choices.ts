import type { LoggedEvent } from '../../model/event.ts'
import { textsOf } from '../../model/event-texts.ts'
import type { JsonObject } from '../../model/json.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Filter, Subscription } from '../../model/subscription.ts'
import { LogWalk, type ToldEvent } from '../../route/log-walk.ts'
import { dataRead } from '../../route/filter/reads-records.ts'
import { isAbout } from '../../route/matches.ts'
import { leanEvent, partOfEvent, RecordFields } from './lean-event.ts'

/** A record of at most so many bytes may be read by a condition as often as this names it. */
const LARGEST_IN_PARTS = 16_384

/**
 * The choices that subscriptions make of the log. Each is walked once, however many make it: what `min_shift` remembers of thousands of
 * shipments is kept once for all of them.
 */
export class ToldChoices {
  readonly #choices = new Map<string, Choice>()
  /** What filters look into; null: whole records. */
  #reads: { readonly fields: RecordFields; readonly names: ReadonlySet<string> | null } | null = {
    fields: new RecordFields([]),
    names: new Set(),
  }

  /** Two that choose alike are the same choice. */
  of(subscription: Subscription): Choice {
    const key = JSON.stringify(choiceOf(subscription))
    const known = this.#choices.get(key)
    if (known !== undefined) return known
    const made = new Choice(subscription)
    this.#choices.set(key, made)
    if (subscription.filter !== null) this.#reads = this.#withReadsOf(subscription.filter)
    return made
  }

  #withReadsOf({ expression }: Filter) {
    const [known, more] = [this.#reads, dataRead(expression)]
    if (known === null || more === null) return null
    const names = known.names === null || more.names === null ? null : new Set([...known.names, ...more.names])
    return { fields: known.fields.with(more.fields), names }
  }

  /** What their filters are judged on. */
  payload(event: LoggedEvent): JsonObject {
    if (this.#reads === null) return fullPayload(event)
    const { fields, names } = this.#reads
    // What is read of a record with very many fields costs an evaluation more than it is allowed.
    const isLarge =
      !fields.isEmpty && (textsOf(event).objectJson?.length ?? Number.POSITIVE_INFINITY) > LARGEST_IN_PARTS
    if (isLarge) return fullPayload(event)
    return fullPayload(names === null ? leanEvent(event, fields) : partOfEvent(event, names, fields))
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
