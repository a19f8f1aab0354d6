import type { Clock, LetOthers } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { DeliveryDraft } from '../model/delivery.ts'
import { type AddressedEvent, type EventDraft, isAddressed } from '../model/event.ts'
import { remindersOf } from '../route/reminders.ts'
import type { RecordState } from '../model/record-state.ts'
import type { NotifiedDate } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { WorkProgress } from '../plan/work-progress.ts'
import { filterFailures } from '../route/filter-failures.ts'
import { hearersOf } from '../route/matches.ts'
import { NOTHING_ROUTED, route, routingQuery, type FilterFailure, type Routed } from '../route/route.ts'
import type { LoadedRecord, ReadBatch, RecordWrite } from '../store/ports/commit-port.ts'
import type { PollStore } from '../store/ports/store.ts'
import { Notebook } from './notes/notebook.ts'

/** Whether what is written of an account comes through: commits one after the other, and what is written beside them. */
export interface WriteProgress {
  readonly commits: WorkProgress
  readonly others: WorkProgress
}

export interface CommitterOptions {
  readonly store: PollStore
  readonly clock: Pick<Clock, 'now' | 'monotonic'> & Partial<Pick<Clock, 'calendarNow'>>
  /** The subscriptions as of now; a reload may change them. */
  readonly subscriptions: () => readonly Subscription[]
  /** Called after a commit that wrote deliveries. */
  readonly onDeliveries: () => void
  readonly telemetry?: Pick<Telemetry, 'committed'>
  /** The progress that notes whether what is written of an account comes through; left out: nobody does. */
  readonly progressOf?: (account: string) => WriteProgress
  /** Awaited before and after each commit is derived, so that others have their turn between hundreds; left out: they have not. */
  readonly letOthers?: LetOthers
}

/**
 * How often news is derived: another process may write a record between our reading and writing it, and then it is derived
 * again.
 */
const MOST_TRIES = 5

/** How many deliveries one commit should make at most: each is a row, and SQLite writes them while nothing else has a turn. */
const DELIVERIES_AT_ONCE = 2_000

/** The only way in which polling writes: events are routed, and everything that one answer taught is committed at once. */
export class Committer {
  readonly store: PollStore
  /** What accounts derive of several records together, and so what commits note. */
  readonly notebook = new Notebook()
  /** Who is woken by a commit that makes reminders, by account. */
  readonly #reminded = new Map<string, () => void>()
  readonly #options: CommitterOptions
  #writes = 0
  /** Commits go one after the other: a list's pass and the calendar write the same records, also without a new version. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: CommitterOptions) {
    this.store = options.store
    this.#options = options
  }

  /** Has somebody woken by every commit of an account that makes reminders, in place of who was before. */
  whenReminded(account: string, wake: () => void): void {
    this.#reminded.set(account, wake)
  }

  /** How many commits have come through. */
  get writes(): number {
    return this.#writes
  }

  /** The subscriptions as of now. */
  get subscriptions(): readonly Subscription[] {
    return this.#options.subscriptions()
  }

  /** How many records may ring in one commit, as many subscriptions as there are hear of each; at least one. */
  recordsAtOnce(account: string): number {
    const hearers = hearersOf(this.subscriptions, account).length
    return Math.max(1, Math.floor(DELIVERIES_AT_ONCE / Math.max(1, hearers)))
  }

  /**
   * Derives news from the store's present state and commits it; derived again (`attempt` 2, 3 …) where that state changed
   * meanwhile. Resolves to what was committed; null where `derive` has no news.
   */
  async commit<N extends News>(account: string, derive: (attempt: number) => Promise<N | null>): Promise<N | null> {
    const turn = this.#turn.then(async () => this.#commit(account, derive))
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }

  async #commit<N extends News>(account: string, derive: (attempt: number) => Promise<N | null>): Promise<N | null> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#letOthers()
      const news = await derive(attempt)
      if (news === null) return null
      await this.#letOthers()
      const batch = hasNews(news) ? await this.#routed(account, news) : unrouted(account, news)
      const { clock } = this.#options
      const startedAt = clock.now()
      const calendarAt = clock.calendarNow?.(account) ?? startedAt
      const notes = this.notebook.notesOf(account, news, startedAt)
      try {
        await this.#write({ ...batch, storedAt: startedAt, calendarAt, ...(notes.length > 0 && { notes }) })
      } catch (error) {
        if (isConflict(error) && attempt < MOST_TRIES) continue
        this.#tell(batch, startedAt, String(error))
        throw error
      }
      this.#tell(batch, startedAt, null)
      if (batch.deliveries.length > 0) this.#options.onDeliveries()
      this.notebook.committed(account, notes)
      if (batch.reminders !== undefined) this.#reminded.get(account)?.()
      return news
    }
  }

  async #letOthers(): Promise<void> {
    const others = this.#options.letOthers?.() ?? null
    if (others !== null) await others
  }

  #routed(account: string, news: News): Promise<ReadBatch> {
    const { store, subscriptions } = this.#options
    return routeBatch(account, news, { store, subscriptions: subscriptions() })
  }

  async #write(batch: ReadBatch): Promise<void> {
    await this.#noted(this.#options.progressOf?.(batch.account).commits, async () => this.store.commit(batch))
    this.#writes += 1
  }

  /** Writes something of an account that rings nothing, beside its commits. */
  async writeBeside<T>(account: string, write: (store: PollStore) => Promise<T>): Promise<T> {
    return this.#noted(this.#options.progressOf?.(account).others, async () => write(this.store))
  }

  async #noted<T>(progress: WorkProgress | undefined, write: () => Promise<T>): Promise<T> {
    const { clock } = this.#options
    const begun = progress?.begun(clock.monotonic())
    try {
      const written = await write()
      progress?.done(begun)
      return written
    } catch (error) {
      if (isAnswer(error)) progress?.done(begun)
      else progress?.failed(clock.monotonic(), String(error), begun)
      throw error
    }
  }

  #tell({ account, deliveries, provenance, ...batch }: ReadBatch, startedAt: number, error: string | null): void {
    const events = batch.events.filter((event) => !isAddressed(event))
    const { clock, telemetry } = this.#options
    const exchanges = provenance?.exchanges ?? null
    const times = { startedAt, endedAt: clock.now() }
    telemetry?.committed({ account, events, deliveries: deliveries.length, exchanges, ...times, error })
  }
}

/** Whether the store takes what is written, but not this. */
export function isAnswer(error: unknown): boolean {
  return isConflict(error) || (error instanceof ShipbellError && error.code === 'lease_lost')
}

function isConflict(error: unknown): boolean {
  return error instanceof ShipbellError && error.code === 'store_conflict'
}

/** What a commit teaches, before it is routed. What is left out stays as it was. */
export interface News extends Partial<Pick<ReadBatch, 'records' | 'events' | 'changes' | 'exceptions' | 'provenance'>> {
  /** Events for one subscription alone, that no pattern routes. */
  readonly addressed?: readonly AddressedEvent[]
  /** Filters that could not be judged on addressed events. */
  readonly failures?: readonly FilterFailure[]
  /** Dates that addressed events bring their subscriptions. */
  readonly dates?: readonly NotifiedDate[]
}

interface Audience {
  readonly subscriptions: readonly Subscription[]
  readonly store: PollStore
}

function hasNews({ addressed = [], events = [], records = [] }: News): boolean {
  return events.length > 0 || records.length > 0 || addressed.length > 0
}

/** What changes no record, an unchanged page above all, concerns no subscription. */
function unrouted(account: string, { changes = [], ...news }: News): ReadBatch {
  return { account, events: [], records: [], deliveries: [], dates: [], changes, ...asideOf(news) }
}

/** What of a commit routing leaves as it is, as far as it is there. */
function asideOf({ exceptions, provenance }: News): Pick<ReadBatch, 'exceptions' | 'provenance'> {
  return { ...(exceptions && { exceptions }), ...(provenance && { provenance }) }
}

/** Routes the events of a commit, and the events about filters that failed on them. */
export async function routeBatch(account: string, news: News, { subscriptions, store }: Audience): Promise<ReadBatch> {
  if (!hasNews(news)) return unrouted(account, news)
  const { addressed = [], changes = [], dates: brought = [], events = [], failures = [], records = [] } = news
  const about = records.filter(({ state }) => state.resource === 'subscription')
  const router = new BatchRouter(subscriptions, store, about)
  const { dates } = await router.route(account, events)
  if (failures.length > 0) await router.report(failures)
  const reminders = remindersOf(events, router.deliveries, subscriptions)
  const own = addressed.map(({ event, subscription }) => ({ eventId: event.id, subscription }))
  return {
    account,
    events: [...events, ...router.events, ...addressed.map(({ event }) => event)],
    records: [...records.filter((record) => !about.includes(record)), ...router.records],
    deliveries: [...router.deliveries, ...own],
    ...(reminders.length > 0 && { reminders }),
    dates: [...dates, ...brought],
    changes,
    ...asideOf(news),
  }
}

class BatchRouter {
  readonly deliveries: DeliveryDraft[] = []
  /** The events about filters that failed. */
  readonly events: EventDraft[] = []
  readonly #subscriptions: readonly Subscription[]
  readonly #store: PollStore
  /** The subscriptions' own records as the store has them and as the batch leaves them: one chain of events for each. */
  readonly #before = new Map<string, LoadedRecord>()
  readonly #after = new Map<string, RecordState>()

  constructor(subscriptions: readonly Subscription[], store: PollStore, about: readonly RecordWrite[]) {
    this.#subscriptions = subscriptions
    this.#store = store
    for (const { before, state } of about) {
      this.#after.set(state.id, state)
      if (before !== null) this.#before.set(state.id, before)
    }
  }

  get records(): readonly RecordWrite[] {
    return [...this.#after.values()].map((state) => ({
      state,
      contentHash: null,
      before: this.#before.get(state.id) ?? null,
    }))
  }

  async route(account: string | null, events: readonly EventDraft[]): Promise<{ dates: readonly NotifiedDate[] }> {
    const query = routingQuery(events, this.#subscriptions)
    const state = query === null ? NOTHING_ROUTED : await this.#store.routingState(account, query)
    const { deliveries, dates, failures }: Routed = route(events, this.#subscriptions, state)
    this.deliveries.push(...deliveries)
    if (failures.length > 0) await this.report(failures)
    return { dates }
  }

  /** An event about a failed filter may fail the filters of others in turn. This ends, because each filter rings once. */
  async report(failures: readonly FilterFailure[]): Promise<void> {
    const names = [...new Set(failures.map(({ subscription }) => subscription))].filter(
      (name) => !this.#after.has(name),
    )
    const read = await this.#store.records(null, 'subscription', names)
    for (const [name, state] of read) this.#before.set(name, state)
    const rung = filterFailures(failures, new Map([...read, ...this.#after]))
    for (const state of rung.states) this.#after.set(state.id, state)
    this.events.push(...rung.events)
    if (rung.events.length > 0) await this.route(null, rung.events)
  }
}
