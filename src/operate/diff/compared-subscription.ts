import { isDeepStrictEqual } from 'node:util'
import { MessageCount } from '../../deliver/message-count.ts'
import type { TellableDelivery } from '../../deliver/batches.ts'
import { PutOff } from '../../deliver/put-off.ts'
import type { JsonObject } from '../../model/json.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { Subscription } from '../../model/subscription.ts'
import { readsRecords } from '../../route/filter/reads-records.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import { matchesAsAlert, matchesByName } from '../../route/matches.ts'
import type { LoggedRecords, PlacedEvent } from '../../store/ports/log-port.ts'
import type { DiffMemory } from './diff-memory.ts'
import type { Difference } from './difference-marks.ts'
import type { Likeness, Telling, ToldTwice } from './likeness.ts'
import { likenessOf } from './told-alike.ts'
import type { Choice, ToldChoices } from './told-choices.ts'

/** A subscription as one of the configurations has it. */
export interface SubscriptionSide extends Telling {
  readonly subscription: Subscription
}

/** A subscription of one name; null: that configuration has none. */
export interface SubscriptionPair {
  readonly name: string
  readonly old: SubscriptionSide | null
  readonly new: SubscriptionSide | null
}

export interface ComparedWith {
  readonly payload: () => JsonObject
  readonly records: LoggedRecords
}

/** What becomes of an event, null: the same; or what says so once it is shown the event with its records. */
export type Compared = Difference | null | ((whole: LoggedEvent, shown: LoggedRecords) => Difference | null)

interface Judged {
  readonly old: ToldEvent | null
  readonly new: ToldEvent | null
}

/** What all subscriptions of one run have in common. */
export interface SharedByAll {
  readonly choices: ToldChoices
  readonly memory: DiffMemory
}

/** What one subscription is told of the log under each of two configurations, event by event, in the order of the log. */
export class ComparedSubscription {
  readonly name: string
  readonly #old: Hearer | null
  readonly #new: Hearer | null
  /** Whether both sides want the same events, so that they are judged once. */
  readonly #isOneChoice: boolean
  /** Whether both sides also make the same messages of events, so that they are counted once. */
  readonly #isOneCount: boolean
  readonly #likeness: Likeness | null

  constructor({ name, old, new: other }: SubscriptionPair, { choices, memory }: SharedByAll) {
    this.name = name
    this.#old = hearerOf(old, choices)
    this.#new = hearerOf(other, choices)
    this.#isOneChoice = this.#old !== null && this.#old.choice === this.#new?.choice
    const gathering = gatheringOf(old)
    this.#isOneCount = this.#isOneChoice && gathering !== null && isDeepStrictEqual(gathering, gatheringOf(other))
    this.#likeness = old === null || other === null ? null : likenessOf(old, other, memory)
  }

  /** Which records it has to see to judge events, but for single ones. */
  get records(): LoggedRecords {
    const hearers = [this.#old, this.#new].filter((hearer) => hearer !== null)
    const comparesDates = hearers.some(({ subscription }) => subscription.minShiftMs !== null)
    const needs = this.#likeness?.needsRecords ?? 'none'
    if (needs === 'all') return 'all'
    const filters = hearers.flatMap(({ subscription: { filter } }) => filter?.expression ?? [])
    if (filters.some((expression) => readsRecords(expression, ['previous']))) return 'all'
    if (needs === 'shown' || filters.some((expression) => readsRecords(expression))) return 'shown'
    return comparesDates || needs === 'whole' ? 'whole' : 'none'
  }

  /** Which records it has to see of single events. */
  get recordsOfSingle(): 'all' | 'shown' {
    return this.#likeness?.needsOfSingle ?? 'shown'
  }

  /** Whether it has to be shown what rang before what is compared. */
  get remembers(): boolean {
    return [this.#old, this.#new].some((hearer) => hearer !== null && hearer.subscription.minShiftMs !== null)
  }

  /** Whether either side names an event, whatever its payload says. */
  names(event: LoggedEvent): boolean {
    return [this.#old, this.#new].some((hearer) => hearer?.names(event) === true)
  }

  /** Shows it an event that rang before what is compared: what it was told then counts for `min_shift`. */
  recall(event: LoggedEvent, payload: () => JsonObject): void {
    this.#judge(event, payload)
  }

  /** What becomes of an event, where that is not the same under both. `records`: those of its page. */
  compare({ event, rangAt }: PlacedEvent, { payload, records }: ComparedWith): Compared {
    const { old, new: other } = this.#judge(event, payload)
    if (old === null && other === null) return null
    if (old !== null) this.#old?.count(event, rangAt)
    if (other !== null && !this.#isOneCount) this.#new?.count(event, rangAt)
    if (old === null) return 'more'
    if (other === null) return 'less'
    const told = { event, ...shownOf(event, records), rangAt, old, new: other }
    const likeness = this.#likeness
    if (likeness === null) return 'different'
    const isAlike = likeness.isAlike(told)
    if (isAlike !== null) return isAlike ? null : 'different'
    return (whole, shown) =>
      likeness.isAlike({ ...told, event: whole, ...shownOf(whole, shown) }) === true ? null : 'different'
  }

  /** Once nothing more comes: how many messages there were under each. */
  messages(): { readonly old: number; readonly new: number } {
    const old = this.#old?.messages() ?? 0
    return { old, new: this.#isOneCount ? old : (this.#new?.messages() ?? 0) }
  }

  /** How many events the filter of the new configuration could not be judged on; they are let pass. */
  get unjudged(): number {
    return this.#new?.unjudged ?? 0
  }

  #judge(event: LoggedEvent, payload: () => JsonObject): Judged {
    return { old: this.#old?.told(event, payload) ?? null, new: this.#new?.told(event, payload) ?? null }
  }
}

/** Nothing reaches a subscription that is disabled: what it would hear is held. */
function hearerOf(side: SubscriptionSide | null, choices: ToldChoices): Hearer | null {
  return side?.subscription.enabled === true ? new Hearer(side, choices) : null
}

/** One side that hears. */
class Hearer {
  readonly subscription: Subscription
  readonly choice: Choice
  readonly #putOff: PutOff
  readonly #messages: MessageCount
  #unjudged = 0

  constructor({ channel, context, subscription }: SubscriptionSide, choices: ToldChoices) {
    this.subscription = subscription
    this.choice = choices.of(subscription)
    this.#putOff = new PutOff(channel, context.zoneOf)
    this.#messages = new MessageCount(channel)
  }

  names(event: LoggedEvent): boolean {
    return matchesAsAlert(this.subscription, event) || matchesByName(this.subscription, event)
  }

  told(event: LoggedEvent, payload: () => JsonObject): ToldEvent | null {
    const told = this.choice.told(event, payload, this.subscription)
    if (told?.failed === true) this.#unjudged += 1
    return told
  }

  get unjudged(): number {
    return this.#unjudged
  }

  count(event: LoggedEvent, rangAt: number): void {
    const until = this.#putOff.until({ account: event.account, rangAt })
    this.#messages.add({ rangAt, until, shown: (withShipment) => this.#shown(event, { rangAt, withShipment }) })
  }

  #shown(
    event: LoggedEvent,
    { rangAt, withShipment }: { readonly rangAt: number; readonly withShipment: boolean },
  ): TellableDelivery {
    const { account, cause, id, sequence, subject } = event
    const shipment = withShipment && event.shipment !== null ? { id: event.shipment.id } : null
    const row = { id, subscription: this.subscription.name, attempts: 0, dueAt: rangAt, rangAt }
    return { ...row, event: { account, cause, sequence, subject, shipment } }
  }

  messages(): number {
    return this.#messages.end()
  }
}

/** Everything that decides which events of a subscription go together in a message; null: a clock of an account does, too. */
function gatheringOf(side: SubscriptionSide | null): readonly unknown[] | null {
  if (side === null) return null
  const { channel } = side
  const quiet = 'quiet' in channel ? channel.quiet : null
  const zone = 'timeZone' in channel ? channel.timeZone : null
  if (quiet !== null && zone === null) return null
  return [channel.kind, 'digest' in channel ? channel.digest : null, quiet, zone, 'app' in channel]
}

function shownOf({ changes }: LoggedEvent, records: LoggedRecords): Pick<ToldTwice, 'hasRecord' | 'hasBefore'> {
  const hasBefore = records === 'all' || (records !== 'none' && changes === null)
  return { hasBefore, hasRecord: hasBefore || records === 'shown' }
}
