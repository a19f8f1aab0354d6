import type { LetOthers } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import type { Choice } from '../plan/read-scheduler.ts'
import type { Target } from '../plan/target.ts'
import type { Stall } from '../plan/work-progress.ts'
import { WakeSignal } from '../wake-signal.ts'
import type { AccountContext } from './account-context.ts'
import { itemsOf, listsOf } from './account-readers.ts'
import { Auditor } from './audit/auditor.ts'
import { ExceptionTimer } from './exceptions/exception-timer.ts'
import { watchCreated } from './items/created-preparations.ts'
import type { ItemLoop } from './items/item-loop.ts'
import type { ListReader } from './lists/list-reader.ts'
import { LoopEdge } from './loop-edge.ts'
import { beginTopics, noteTimers, type NoteTimer } from './notes/account-topics.ts'
import type { PollContext } from './poll-context.ts'
import type { AccountClient, Patience, Tenancy } from './requests/account-client.ts'
import { ClockWatch } from './requests/clock-watch.ts'
import { openAccountClient } from './requests/open-account-client.ts'
import { AccountSnapshots } from './snapshots/account-snapshots.ts'
import { awaitTurn, RETRY_FIRST_MS, spareReason, SpareReads } from './schedule/spare-reads.ts'
import { ReadingPlan } from './schedule/reading-plan.ts'
import { Calendar } from './timers/calendar.ts'
import { Debounce } from './timers/debounce.ts'

export interface AccountPollerOptions extends AccountContext {
  readonly patience: Patience
  /** The account at the limiter of its key; left out: one of its own. */
  readonly tenancy?: Tenancy
  /** How long after its start `run` of the account sends its first request; left out: at once. */
  readonly startAfterMs?: number
  /** Where in their period passes come, beside those of other accounts; left out or null: wherever they fall due. */
  readonly place?: number | null
  /** Awaited before it begins: hundreds of accounts may in one turn of the event loop. Left out: it begins at once. */
  readonly letOthers?: LetOthers
}

/** What `once` could not read, for people; null when everything was. */
export interface OncePass {
  readonly resource: string
  readonly incomplete: string | null
}

/** Polls one account: every list in a loop of its own, and what is read item by item too, all through one client. */
export class AccountPoller {
  readonly #context: PollContext
  readonly #startAfterMs: number
  readonly #place: number | null
  readonly #letOthers: LetOthers | undefined
  readonly #lists: readonly ListReader[]
  readonly #items: readonly ItemLoop[]
  readonly #calendar: Calendar
  readonly #debounce: Debounce
  readonly #exceptions: ExceptionTimer
  readonly #notes: readonly NoteTimer[]
  readonly #auditor: Auditor
  readonly #edge: LoopEdge
  /** Sends the records of the account to subscriptions that start full. */
  readonly snapshots: AccountSnapshots
  /** Wakes the loop of trackings: there may be more of them to read. `#passEnded` wakes the calendar. */
  readonly #shipmentsRead = new WakeSignal()
  readonly #passEnded = new WakeSignal()
  /** Wakes the loop of order preparations: one may have been created. */
  readonly #created = new WakeSignal()
  #lastAnswerAt: number | null = null

  constructor({ patience, startAfterMs = 0, place = null, tenancy, letOthers, ...given }: AccountPollerOptions) {
    const clocks = new ClockWatch(given)
    const account = { ...given, clock: clocks.clock }
    const accountClient: AccountClient = openAccountClient(account, {
      patience,
      tenancy,
      clocks,
      answered: (at) => (this.#lastAnswerAt = at),
      probed: async (list, shown) => this.#lists.find(({ watch }) => watch === list)?.takeBeside(shown),
      witness: async (watch) => (await this.#items.find(({ source }) => source.watch === watch)?.witness()) ?? null,
    })
    const context: PollContext = { ...account, accountClient, plan: new ReadingPlan({ ...account, accountClient }) }
    this.#context = context
    this.#edge = new LoopEdge(context)
    this.#startAfterMs = startAfterMs
    this.#place = place
    this.#letOthers = letOthers
    this.#lists = listsOf(context)
    this.#items = itemsOf(context)
    this.#calendar = new Calendar(context, clocks)
    this.#debounce = new Debounce(context)
    this.#exceptions = new ExceptionTimer(context)
    this.#auditor = new Auditor(context)
    this.snapshots = new AccountSnapshots(context)
    this.#notes = noteTimers(context, (resource) => this.#listOf(resource)?.completeFrom ?? null)
  }

  get account(): AccountSettings {
    return this.#context.account
  }

  /** The subscriptions may be others: some may ask for reminders. */
  subscriptionsChanged(): void {
    this.#exceptions.wake.notify()
  }

  /** When the last successful answer arrived; null: none since the start. */
  get lastAnswerAt(): number | null {
    return this.#lastAnswerAt
  }

  /** What stalls a loop; null: all come through. */
  stall(): Stall | null {
    return this.#edge.stall()
  }

  /** Sends what is asked beside polling, too: all of it goes through the limiter of the key. */
  get client(): AccountClient {
    return this.#context.accountClient
  }

  /** When what was read longest ago of a resource was read; null: nothing of it is read, as far as is known. */
  oldestReadAt(watch: Watchable): number | null {
    const { clock, plan } = this.#context
    return plan.scheduler.oldestReadAt(RECORD_OF[watch], clock.now())
  }

  /** Polls until `signal` aborts; never gives up. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, plan } = this.#context
    if (this.#startAfterMs > 0) await clock.sleep(this.#startAfterMs, signal)
    await this.#letOthers?.()
    await this.#edge.attempt(async () => plan.load(), signal)
    await this.#edge.attempt(async () => this.#beginNotes(signal), signal)
    const lists = this.#lists.map(async (list) => this.#runList(list, signal))
    const items = this.#items.map(async (loop) => this.#runItems(loop, signal))
    const timers = [
      this.#runTimer(this.#calendar, this.#passEnded, signal),
      this.#runTimer(this.#exceptions, this.#exceptions.wake, signal),
      this.#runTimer(this.#debounce, new WakeSignal(), signal),
      ...this.#notes.map(async (loop) => this.#runTimer(loop, loop.wake, signal)),
    ]
    const spare = [...this.#spareReads().loops, ...this.#auditor.loops].map(async (loop) =>
      this.#runOn(async () => loop(signal), signal),
    )
    const created = this.#items
      .filter(({ source }) => source.watch === 'order_preparations')
      .map(async () => this.#runOn(async () => watchCreated(this.#context, this.#created, signal), signal))
    const ended = this.#edge.attempt(async () => this.#auditor.endOthers(), signal)
    await Promise.all([...lists, ...items, ...timers, ...spare, ...created, ended, this.snapshots.during(signal)])
    await this.#edge.attempt(async () => plan.save(), signal)
  }

  /**
   * One full pass over everything that is watched, also over items that wait because they fail: what was not read is said. The
   * calendar is looked at before and after: the pass verifies invoices that a fetch did not find, and shows what has become due.
   */
  async once(signal: AbortSignal): Promise<readonly OncePass[]> {
    await this.#beginNotes(signal)
    await this.#calendar.settle(signal)
    const passes = await this.#oncePasses(signal)
    await this.#debounce.round(signal)
    const waiting = await this.#calendar.settle(signal)
    for (const loop of this.#notes) await loop.settle(signal)
    await this.#exceptions.settle(signal)
    if (waiting === 0) return passes
    const incomplete = `the platform did not verify ${waiting} invoices whose dates have come`
    return [...passes, { resource: 'calendar', incomplete }]
  }

  async #oncePasses(signal: AbortSignal): Promise<readonly OncePass[]> {
    const lists = await Promise.all(
      this.#lists.map(async (list) => ({ resource: list.watch, incomplete: (await list.pass(signal)).reason })),
    )
    const shipments = lists.find(({ resource }) => resource === 'shipments')
    // Tracking is complete only where all shipments are known.
    const unknown = shipments?.incomplete == null ? null : 'the shipments were not all read'
    const items = await Promise.all(
      this.#items.map(async (loop) => ({
        resource: loop.source.watch,
        incomplete: (await this.#onceItems(loop, signal)) ?? (loop.source.watch === 'tracking' ? unknown : null),
      })),
    )
    return [...lists, ...items]
  }

  async #onceItems(loop: ItemLoop, signal: AbortSignal): Promise<string | null> {
    const startedAt = this.#context.clock.now()
    const failed = new Map<string, string>()
    for (;;) {
      const batch = await loop.batch({ readBefore: startedAt, except: failed, evenWaiting: true, signal })
      for (const { id, reason } of batch.failed) failed.set(id, reason)
      if (batch.read === 0 && batch.failed.length === 0) break
    }
    const [first] = failed
    if (first === undefined) return null
    return `${failed.size} ${loop.source.noun} not read, ${first[0]} for example: ${first[1]}`
  }

  #spareReads(): SpareReads {
    return new SpareReads(this.#context, async (target, why, signal) => {
      const isRead = await this.#edge.attempt(async () => this.#readUnit(target, why, signal), signal)
      return isRead ?? false
    })
  }

  async #readUnit(target: Target, why: Choice | 'announced', signal: AbortSignal): Promise<boolean> {
    const { resource } = target
    const how = { why: spareReason(why), signal }
    if (target.kind === 'item') {
      const loop = this.#items.find(({ source }) => RECORD_OF[source.watch] === resource)
      const priority = why === 'announced' ? 'announced' : 'spare'
      return (await loop?.readOne(target.id, { ...how, priority })) ?? false
    }
    const list = this.#listOf(resource)
    const page = await list?.readSparePage({ skip: target.skip, ...how })
    if (page !== undefined && page.changed > 0) this.#shipmentsRead.notify()
    return page?.reason === null
  }

  #listOf(resource: RecordResource): ListReader | undefined {
    return this.#lists.find(({ watch }) => RECORD_OF[watch] === resource)
  }

  async #runList(list: ListReader, signal: AbortSignal): Promise<void> {
    const { clock, accountClient, plan } = this.#context
    let [incomplete, isPlaced] = [0, false]
    while (!signal.aborted) {
      await this.#edge.attempt(async () => plan.load(), signal)
      await accountClient.untilOpen(list.watch, signal)
      if (signal.aborted) return
      const startedAt = clock.now()
      const report = await this.#edge.attempt(async () => list.pass(signal), signal, list)
      if (report !== null && report.changed > 0) this.#shipmentsRead.notify()
      if (report !== null) this.#passHasEnded()
      if (report !== null) this.#auditor.passEnded(list.watch, report, startedAt)
      await this.#edge.attempt(async () => plan.endPass(), signal)
      incomplete = report?.isCutShort === false ? 0 : incomplete + 1
      const place = isPlaced ? null : this.#place
      isPlaced = await awaitTurn({ name: list.watch, startedAt, incomplete, place }, this.#context, signal)
    }
  }

  /** Before anything is read: what a process before noted is taken up, and what may begin begins. */
  async #beginNotes(signal: AbortSignal): Promise<void> {
    await beginTopics(this.#context, this.#notes)
    for (const loop of this.#notes) await loop.round(signal)
  }

  #passHasEnded(): void {
    this.#passEnded.notify()
    this.#tellNotes()
  }

  /** What was read may complete a baseline, or be what is waited for. */
  #tellNotes(): void {
    for (const loop of this.#notes) loop.passEnded()
  }

  /** A loop that ends where `signal` aborts; one that fails begins again. */
  async #runOn(loop: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await this.#edge.attempt(loop, signal)) === null) await this.#context.clock.sleep(RETRY_FIRST_MS, signal)
    }
  }

  /** Runs a timer: it rings what time alone brings about. */
  async #runTimer(
    timer: Calendar | Debounce | ExceptionTimer | NoteTimer,
    sooner: WakeSignal,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const rang = await this.#edge.attempt(async () => timer.round(signal), signal, timer)
      const pauseMs = await this.#edge.attempt(async () => timer.pauseMs(), signal)
      const leastMs = rang === null ? RETRY_FIRST_MS : 0
      await sooner.wait(this.#context.clock, Math.max(pauseMs ?? RETRY_FIRST_MS, leastMs), signal)
    }
  }

  async #runItems(loop: ItemLoop, signal: AbortSignal): Promise<void> {
    const { clock, accountClient, plan } = this.#context
    const { watch } = loop.source
    const more = watch === 'tracking' ? this.#shipmentsRead : this.#created
    while (!signal.aborted) {
      const everyMs = plan.itemAgeMs(watch)
      const readBefore = clock.now() - everyMs + 1
      const batch = await this.#edge.attempt(async () => loop.batch({ readBefore, signal }), signal, loop)
      if (batch !== null) this.#tellNotes()
      if (batch !== null && batch.read > 0) continue
      const dueAt = await this.#edge.attempt(async () => loop.nextDueAt(everyMs), signal)
      const pauseMs = dueAt === null ? everyMs : dueAt - clock.now()
      const leastMs = batch === null ? RETRY_FIRST_MS : accountClient.closedMs(watch)
      await more.wait(clock, Math.min(Math.max(pauseMs, leastMs), plan.lookMs), signal)
    }
  }
}
