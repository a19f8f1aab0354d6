import { once } from '../../once.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { LOGGED_RECORDS, type LoggedRecords, type LogStore, type PlacedEvent } from '../../store/ports/log-port.ts'
import {
  ComparedSubscription,
  type Compared,
  type ComparedWith,
  type SharedByAll,
  type SubscriptionPair,
} from './compared-subscription.ts'
import { DiffMemory } from './diff-memory.ts'
import { ToldChoices } from './told-choices.ts'
import { DIFFERENCES, DifferenceMarks, PackedIds, type Difference } from './difference-marks.ts'

const PAGE = 100
/** Where a page had to be read again with its records, so many behind it are at once. */
const WHOLE_PAGES = 20
const DAY_MS = 86_400_000
/** How many events of a kind are named where not all are. */
const EXAMPLES = 3

export interface LogComparing {
  /** Events before it are looked at for what they told alone; null: all are compared. */
  readonly since: number | null
  readonly now: number
  /** Whether every event that differs is to be named. */
  readonly namesAll: boolean
  /** Called between two pages of the log; throws where nobody waits any more. */
  readonly goOn: () => Promise<void>
}

export interface TypeDifference {
  readonly type: string
  /** How many events of the type differ so. */
  readonly counts: Readonly<Record<Difference, number>>
  /** The first of them, by their ids. */
  readonly examples: readonly string[]
}

export interface SubscriptionDifference {
  readonly name: string
  /** Whether each configuration has it. */
  readonly isIn: { readonly old: boolean; readonly new: boolean }
  readonly counts: Readonly<Record<Difference, number>>
  /** What differs, by type, in the order of the names of the types. */
  readonly types: readonly TypeDifference[]
  /** The ids of the events that differ so, in their order; with `namesAll` alone. */
  readonly ids: (difference: Difference) => Iterable<string>
  readonly perDay: { readonly old: number; readonly new: number }
  /** How many events the filter of the new configuration could not be judged on; they are let pass. */
  readonly unjudged: number
}

export interface LogComparison {
  readonly subscriptions: readonly SubscriptionDifference[]
  /** How many events were tried. */
  readonly tried: number
  /** How many that a subscription names were not, because their payloads have expired. */
  readonly expired: number
  /** The stretch of the log in which they rang. */
  readonly from: number
  readonly to: number
}

/** What subscriptions would have been told of the log under each of two configurations. Reads it in its order, page by page. */
export async function compareLog(
  store: Pick<LogStore, 'logPage'>,
  pairs: readonly SubscriptionPair[],
  how: LogComparing,
): Promise<LogComparison> {
  const comparison = new Comparison(pairs, how)
  const first = await store.logPage({ since: 0, after: null, limit: 1, records: 'none' })
  const oldest = first.events[0]?.event.timestamp ?? null
  const { since } = comparison
  let after: number | null = null
  let left = 0
  do {
    await how.goOn()
    const records: LoggedRecords = left > 0 ? comparison.recordsOfSingle : comparison.records
    const page: Awaited<ReturnType<LogStore['logPage']>> = await store.logPage({ since, after, limit: PAGE, records })
    const compared = comparison.take(page.events, records)
    const asks = compared.some(isOpen)
    const whole = asks ? await store.logPage({ since, after, limit: PAGE, records: comparison.recordsOfSingle }) : null
    comparison.note(compared, whole?.events ?? [])
    left = asks ? WHOLE_PAGES : left - 1
    after = page.end
  } while (after !== null)
  return comparison.end(oldest)
}

/** What becomes of an event for those for whom that is not the same, or that have to see its records first. */
interface ComparedEvent {
  readonly placed: PlacedEvent
  readonly differences: readonly { readonly tally: Tally; readonly compared: NonNullable<Compared> }[]
}

function isOpen({ differences }: ComparedEvent): boolean {
  return differences.some(({ compared }) => typeof compared === 'function')
}

class Comparison {
  readonly records: LoggedRecords
  /** Which records are read of pages that show too little without them. */
  readonly recordsOfSingle: 'all' | 'shown'
  /** Where in time the walk through the log begins. */
  readonly since: number
  readonly #since: number
  readonly #now: number
  readonly #compared: readonly Tally[]
  readonly #choices = new ToldChoices()
  readonly #ids: PackedIds | null
  #tried = 0
  #expired = 0
  #firstTriedAt: number | null = null

  constructor(pairs: readonly SubscriptionPair[], { namesAll, now, since }: LogComparing) {
    const shared = { choices: this.#choices, memory: new DiffMemory() }
    this.#compared = pairs.map((pair) => new Tally(pair, shared))
    this.#ids = namesAll ? new PackedIds() : null
    this.#since = since ?? 0
    this.#now = now
    this.since = this.#compared.some(({ compared }) => compared.remembers) ? 0 : this.#since
    const asked = new Set(this.#compared.map(({ compared }) => compared.records))
    this.records = LOGGED_RECORDS.find((each) => asked.has(each)) ?? 'none'
    const isShownAll =
      this.records === 'all' || this.#compared.some(({ compared }) => compared.recordsOfSingle === 'all')
    this.recordsOfSingle = isShownAll ? 'all' : 'shown'
  }

  /** What becomes of the events of a page. */
  take(events: readonly PlacedEvent[], records: LoggedRecords): readonly ComparedEvent[] {
    const compared = events.map((placed) => this.#take(placed, records))
    this.#choices.forgetChanges()
    return compared
  }

  /** Notes what became of a page; `whole`: the page with its records, where some of it is open without them. */
  note(page: readonly ComparedEvent[], whole: readonly PlacedEvent[]): void {
    const byPlace = new Map(whole.map(({ event, place }) => [place, event]))
    for (const { differences, placed } of page) {
      const { event, place: at } = placed
      let place: number | null = null
      for (const { compared, tally } of differences) {
        const difference =
          typeof compared === 'function' ? compared(byPlace.get(at) ?? event, this.recordsOfSingle) : compared
        if (difference === null) continue
        if (this.#ids !== null) place ??= this.#ids.add(event.id)
        tally.note(event, { difference, place })
      }
    }
  }

  #take(placed: PlacedEvent, records: LoggedRecords): ComparedEvent {
    const { event } = placed
    const payload = once(() => this.#choices.payload(event))
    if (event.cause === 'test') return { placed, differences: [] }
    if (event.timestamp < this.#since) this.#recall(event, payload)
    else if (event.expiredAt === null) return { placed, differences: this.#compare(placed, { payload, records }) }
    else if (this.#compared.some(({ compared }) => compared.names(event))) this.#expired += 1
    return { placed, differences: [] }
  }

  #recall(event: LoggedEvent, payload: () => JsonObject): void {
    if (event.expiredAt !== null) return
    for (const { compared } of this.#compared) if (compared.remembers) compared.recall(event, payload)
  }

  #compare(placed: PlacedEvent, how: ComparedWith): ComparedEvent['differences'] {
    this.#tried += 1
    this.#firstTriedAt ??= placed.event.timestamp
    return this.#compared.flatMap((tally) => {
      const compared = tally.compared.compare(placed, how)
      return compared === null ? [] : [{ tally, compared }]
    })
  }

  /** `oldest`: when the first event of the whole log rang. */
  end(oldest: number | null): LogComparison {
    const from = this.#from(oldest)
    const days = Math.max(1, (this.#now - from) / DAY_MS)
    const ids = this.#ids
    return {
      subscriptions: this.#compared.map((tally) => tally.difference(days, ids)),
      tried: this.#tried,
      expired: this.#expired,
      from,
      to: this.#now,
    }
  }

  /** What is asked for, as far as the log goes back, and as far as payloads do. */
  #from(oldest: number | null): number {
    const first = this.#firstTriedAt ?? this.#now
    const reaches = oldest !== null && oldest <= this.#since && this.#expired === 0
    return Math.min(reaches ? this.#since : first, this.#now)
  }
}

/** A subscription with the count of what differs. */
class Tally {
  readonly compared: ComparedSubscription
  readonly #isIn: SubscriptionDifference['isIn']
  readonly #types = new Map<string, { readonly counts: Record<Difference, number>; readonly examples: string[] }>()
  readonly #marks = new DifferenceMarks()

  constructor(pair: SubscriptionPair, shared: SharedByAll) {
    this.compared = new ComparedSubscription(pair, shared)
    this.#isIn = { old: pair.old !== null, new: pair.new !== null }
  }

  note(
    { id, type }: LoggedEvent,
    { difference, place }: { readonly difference: Difference; readonly place: number | null },
  ): void {
    const known = this.#types.get(type) ?? { counts: none(), examples: [] }
    this.#types.set(type, known)
    known.counts[difference] += 1
    if (known.examples.length < EXAMPLES) known.examples.push(id)
    if (place !== null) this.#marks.mark(place, difference)
  }

  difference(days: number, ids: PackedIds | null): SubscriptionDifference {
    const { name, unjudged } = this.compared
    const messages = this.compared.messages()
    const types = [...this.#types].map(([type, known]) => ({ type, ...known }))
    const marks = this.#marks
    return {
      name,
      isIn: this.#isIn,
      counts: types.reduce((sum, { counts }) => added(sum, counts), none()),
      types: types.toSorted((one, other) => (one.type < other.type ? -1 : 1)),
      ids: function* (difference) {
        if (ids !== null) for (const place of marks.places(difference)) yield ids.at(place)
      },
      perDay: { old: messages.old / days, new: messages.new / days },
      unjudged,
    }
  }
}

function none(): Record<Difference, number> {
  return { less: 0, more: 0, different: 0 }
}

function added(one: Readonly<Record<Difference, number>>, other: Readonly<Record<Difference, number>>) {
  const sum = none()
  for (const difference of DIFFERENCES) sum[difference] = one[difference] + other[difference]
  return sum
}
