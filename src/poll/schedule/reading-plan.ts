import { asStarted } from '../../invocation.ts'
import { turnTaking } from '../../clock.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { watchedIn } from '../../model/account.ts'
import type { ReadReason } from '../../model/provenance.ts'
import type { RecordState } from '../../model/record-state.ts'
import { isListed, RECORD_OF, watchedAs, type RecordResource, type Watchable } from '../../model/resource.ts'
import { kindOf, mixOf, type Kind } from '../../plan/change-rates.ts'
import { ReadScheduler } from '../../plan/read-scheduler.ts'
import { ALWAYS_TAUGHT_MS, type ItemFacts, type ItemReadReport, type ItemTarget } from '../../plan/target.ts'
import { endEveryMs, type EndCost } from '../../plan/paging.ts'
import { headStart, passDueAt, requestRate, stretchOf, type RefreshTarget } from '../../plan/refresh-targets.ts'
import type { AccountClient } from '../requests/account-client.ts'
import type { Revised } from '../ingest/update-record.ts'
import {
  knownEndCost,
  knownRows,
  movedRow,
  LISTED,
  mixOfPage,
  noteKnownUnits,
  PageMixes,
  trackingFacts,
  weightsOf,
  type MovedRow,
} from './known-units.ts'
import type { AccountContext } from '../account-context.ts'

interface ReadingPlanOptions extends Pick<AccountContext, 'account' | 'committer' | 'clock' | 'log'> {
  readonly accountClient: AccountClient
}

const HOUR_MS = 3_600_000

/** How often stretched refresh targets are looked at: they may fit the budget again. */
const LOOK_MS = 5 * 60_000

/**
 * What is read when. Two parts share the budget: the refresh targets, as far as the budget keeps them, and what
 * `ReadScheduler` finds worth the rest. A unit is what one request reads: a page of a list, or an item. After a start the units
 * come from the store (`known-units.ts`), as they do for `shipbell plan`.
 */
export class ReadingPlan {
  /** Wakes who waits for an announcement. */
  readonly announced = new WakeSignal()
  /** Wakes who waits for something new to be known. */
  readonly learnt = new WakeSignal()
  readonly #options: ReadingPlanOptions
  #scheduler: ReadScheduler | null = null
  /** The requests that show each list's end, beside those for pages with rows. A list that was never read takes them in each pass. */
  readonly #ends = new Map<RecordResource, EndCost>()
  readonly #mixes = new PageMixes()
  #isLoaded = false
  /** Whether it was said that the budget does not cover the refresh targets. */
  #isOver = false
  #loaded: Promise<void> | null = null

  constructor(options: ReadingPlanOptions) {
    this.#options = options
  }

  /** Made for the first who asks: a single pass over everything plans nothing. */
  get scheduler(): ReadScheduler {
    this.#scheduler ??= new ReadScheduler(weightsOf(this.#options.account))
    return this.#scheduler
  }

  /**
   * Goes on where the last process ended. Loads once, or again where that failed. What is noted earlier is left out: the store
   * knows it.
   */
  async load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = null
      throw error
    })
    await this.#loaded
  }

  async #load(): Promise<void> {
    const { account, clock, committer } = this.#options
    const { store } = committer
    this.scheduler.recall(await store.learnt(account.name))
    this.#isLoaded = true
    await noteKnownUnits(this.scheduler, { account, store, now: clock.now(), letOthers: turnTaking(clock) })
    for (const resource of LISTED) this.#ends.set(resource, await knownEndCost({ account, store }, resource))
    this.scheduler.endRecall()
  }

  /** A pass over a list ended. */
  async endPass(): Promise<void> {
    if (this.#isLoaded) this.#noteOverload()
    await this.save()
  }

  /** Says when the budget does not cover the refresh targets, and when it does again: each once. */
  #noteOverload(): void {
    const { account, log } = this.#options
    const stretch = this.#stretch
    if (stretch > 1 === this.#isOver) return
    this.#isOver = stretch > 1
    const line = {
      account: account.name,
      needed_per_hour: Math.round(requestRate(this.refreshTargets()) * HOUR_MS),
      allowed_per_hour: Math.round(this.#rate() * HOUR_MS),
    }
    if (!this.#isOver) log.info(line, 'plan.promises_fit')
    else
      log.warn(
        { ...line, every_is_times: Math.round(stretch * 100) / 100, see: asStarted('`shipbell plan`') },
        'plan.promises_do_not_fit',
      )
  }

  /** Writes down what was learnt. */
  async save(): Promise<void> {
    const { account, committer } = this.#options
    if (!this.#isLoaded) return
    const learnt = this.scheduler.unsaved()
    if (learnt.units.length === 0 && learnt.gone.length === 0) return
    await committer.commit(account.name, async () => ({ changes: [{ kind: 'learnt', learnt }] }))
  }

  /** A page answered what it did before. */
  pageSame(resource: RecordResource, { skip, at }: { readonly skip: number; readonly at: number }): void {
    if (!this.#isLoaded) return
    const target = { kind: 'page', resource, skip } as const
    this.scheduler.pageRead({ target, at, mix: null, changed: {}, longestMs: () => this.#longestMs(resource) })
  }

  /** A page was committed; `emitted` are the rows that rang. What they say of their tracking is to be read next. */
  async pageShown(resource: RecordResource, page: ShownRows): Promise<void> {
    // An empty page is no unit: what it takes to show the end is for `endList` to say.
    if (!this.#isLoaded || page.rows === 0) return
    const { at, skip, contentHash, emitted, revised } = page
    const target = { kind: 'page', resource, skip } as const
    const { account, committer } = this.#options
    const knownAt = this.scheduler.readAt(target)
    const rows = new Map(revised.map((row) => [row, movedRow(resource, row)]))
    const moved = knownAt === null ? null : knownRows(rows.values())
    const mix = await this.#mixes.of({ target, contentHash, at, moved }, async () =>
      mixOfPage({ account, store: committer.store }, target, page),
    )
    const changed = mixOf(emitted.map((row) => kindBefore(rows.get(row) ?? null, at)))
    const since = knownAt ?? at
    this.scheduler.pageRead({ target, at, mix, changed, longestMs: () => this.#longestMs(resource) })
    if (knownAt === null) this.learnt.notify()
    if (resource !== 'shipment') return
    this.#announce(
      emitted.map(({ revision }) => revision.state),
      { since, at },
    )
  }

  learnAnew(watch: Watchable): void {
    this.scheduler.learnAnew(RECORD_OF[watch], this.#options.clock.now())
  }

  /** A complete pass read the list: pages that held rows, by `skip`, and what showing its end takes. */
  endList(resource: RecordResource, skips: ReadonlySet<number>, end: EndCost): void {
    if (!this.#isLoaded) return
    this.scheduler.endList(resource, skips)
    this.#mixes.endList(resource, skips)
    this.#ends.set(resource, end)
  }

  /** What is known of an item now; `readAt`: when it was read, where that is news. */
  itemKnown(facts: ItemFacts, readAt: number): void {
    if (!this.#isLoaded) return
    const knownAt = this.scheduler.readAt(facts.target)
    this.scheduler.itemKnown(facts, knownAt ?? readAt)
    if (knownAt === null) this.learnt.notify()
  }

  /** Whether an item that is read is unknown to the scheduler. */
  lacks(target: ItemTarget): boolean {
    return this.#isLoaded && this.scheduler.readAt(target) === null
  }

  itemRead(report: Omit<ItemReadReport, 'longestMs'>): void {
    if (this.#isLoaded) this.scheduler.itemRead({ ...report, longestMs: () => this.#longestMs(report.target.resource) })
  }

  /** The longest that a resource goes unread: its `every`, or longer where the budget does not cover all refresh targets. */
  everyMs(watch: Watchable): number {
    const everyMs = this.#options.account.watch[watch]?.everyMs ?? Number.POSITIVE_INFINITY
    return Math.floor(everyMs * this.#stretch)
  }

  /** How long to sleep at most while waiting for a turn: stretched refresh targets may fit the budget again sooner than it seemed. */
  get lookMs(): number {
    return this.#stretch > 1 ? LOOK_MS : Number.POSITIVE_INFINITY
  }

  /** Whether the budget covers all refresh targets, as far as the account is known. */
  get coversTargets(): boolean {
    return this.#stretch <= 1
  }

  /** Why a read that keeps a refresh target is made; there are no targets before the plan is loaded. */
  targetReason(watch: Watchable): ReadReason {
    return this.#isLoaded ? { kind: 'promise', everyMs: this.everyMs(watch) } : { kind: 'once' }
  }

  /** When the next pass over a list is to start, after one that started at `startedAt`. */
  passDueAt(watch: Watchable, startedAt: number): number {
    const pagesReadAt = this.scheduler.pagesReadAt(RECORD_OF[watch])
    const everyMs = this.everyMs(watch)
    const ahead = headStart(this.#ahead, this.refreshTargets(), this.#rate())
    return passDueAt({ startedAt, everyMs, pagesReadAt, slotMs: 1 / this.#rate(), ahead })
  }

  /** How old the last read of an item may be until it has to be asked for, so that it is not late. */
  itemAgeMs(watch: Watchable): number {
    const everyMs = this.everyMs(watch)
    const watched = watchedIn(this.#options.account.watch)
    const lists = watched.reduce((sum, [name]) => sum + (isListed(RECORD_OF[name]) ? this.requests(name) : 0), 0)
    return Math.ceil(Math.max(everyMs - (lists + this.#ahead) / this.#rate(), everyMs / 2))
  }

  /** The refresh targets, as far as the account is known. */
  refreshTargets(): readonly RefreshTarget[] {
    return watchedIn(this.#options.account.watch).flatMap(([name, { everyMs }]) => {
      const resource = RECORD_OF[name]
      const endMs = endEveryMs(this.#endOf(resource), everyMs)
      const end = endMs === null ? [] : [{ everyMs: endMs, requests: 1 }]
      return [{ everyMs, requests: this.scheduler.count(resource) }, ...end]
    })
  }

  /** How many requests it takes at most to read all of a resource, as far as it is known. */
  requests(watch: Watchable): number {
    const resource = RECORD_OF[watch]
    return this.scheduler.count(resource) + (this.#endOf(resource) === 'none' ? 0 : 1)
  }

  #endOf(resource: RecordResource): EndCost {
    return this.#ends.get(resource) ?? (isListed(resource) ? 'each_pass' : 'none')
  }

  /** Nothing goes unread for much longer than its refresh target while the process runs and its clock does not leap. */
  #longestMs(resource: RecordResource): number {
    const watch = watchedAs(resource)
    const isWatched = this.#options.account.watch[watch] !== undefined
    return isWatched ? Math.max(2 * this.everyMs(watch), ALWAYS_TAUGHT_MS) : Number.POSITIVE_INFINITY
  }

  #announce(shipments: readonly RecordState[], reads: { readonly since: number; readonly at: number }): void {
    if (this.scheduler.count('tracking') === 0) return
    for (const shipment of shipments) {
      const target = { kind: 'item', resource: 'tracking', id: shipment.id } as const
      if (this.scheduler.readAt(target) === null) continue
      const facts = trackingFacts(shipment)
      this.itemKnown(facts, shipment.lastRead.sentAt)
      this.scheduler.announce(target, reads)
    }
    if (shipments.length > 0) this.announced.notify()
  }

  /** Requests that may be ahead of one that keeps a refresh target: those of a batch of items, and one that was announced. */
  get #ahead(): number {
    return this.#options.account.budget.concurrency + 2
  }

  get #stretch(): number {
    const targets = this.refreshTargets()
    return stretchOf(targets, this.#rate(targets))
  }

  #rate(targets = this.refreshTargets()): number {
    return this.#options.accountClient.rateFor(requestRate(targets))
  }
}

interface ShownRows {
  readonly skip: number
  /** Rows received, good or bad. */
  readonly rows: number
  /** A hash that is one for the same ids. */
  readonly contentHash: string
  /** When the request was sent. */
  readonly at: number
  /** The rows that were new or differed. */
  readonly revised: readonly Revised[]
  /** The revised rows that rang. */
  readonly emitted: readonly Revised[]
}

function kindBefore(row: MovedRow | null, at: number): Kind {
  return row === null ? 'arrival' : kindOf(row.before, at)
}
