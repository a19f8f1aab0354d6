import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { FieldTree } from '../model/field-tree.ts'
import type { ReadReason } from '../model/read-reason.ts'
import { LISTS, RECORD_OF, watchedAs, type RecordResource } from '../model/resource.ts'
import type { Choice } from '../plan/read-scheduler.ts'
import type { PageTarget, Target } from '../plan/target.ts'
import type { Platform } from '../platform/platform.ts'
import { WakeSignal } from '../wake-signal.ts'
import { openAccountClient } from './open-account-client.ts'
import { awaitTurn, RETRY_FIRST_MS } from './await-turn.ts'
import { CalendarPoller } from './calendar-poller.ts'
import { ChurnWatch } from './churn-watch.ts'
import { ClockWatch } from './clock-watch.ts'
import type { Committer } from './committer.ts'
import type { AccountClient, Patience, Tenancy } from './account-client.ts'
import { InvoiceVerifier } from './invoice-verifier.ts'
import { ItemPoller } from './item-poller.ts'
import { ItemQuarantine } from './item-quarantine.ts'
import { ItemReader } from './item-reader.ts'
import type { ItemSource } from './item-source.ts'
import { ListPoller } from './list-poller.ts'
import { OrderPreparationItems } from './order-preparation-items.ts'
import { missingOwners } from './missing-owners.ts'
import type { Progress } from './progress.ts'
import { ReadingPlan } from './reading-plan.ts'
import { SettlePoller } from './settle-poller.ts'
import { SpareReads } from './spare-reads.ts'
import { TrackingItems } from './tracking-items.ts'

export interface AccountPollerOptions {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly committer: Committer
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly progress: Progress
  readonly patience: Patience
  /** The account at the limiter of its key; left out: one of its own. */
  readonly tenancy?: Tenancy
  /** The first request of `run` is sent at random within so long, where something was read before; left out: at once. */
  readonly startWithinMs?: number
  /** What the interface names of each resource. */
  readonly fields: Readonly<Record<RecordResource, FieldTree>>
}

/** What `once` could not read, for people; null when everything was. */
export interface OncePass {
  readonly resource: string
  readonly incomplete: string | null
}

function reasonOf(why: Choice | 'announced'): ReadReason {
  return why === 'announced'
    ? { kind: 'announced' }
    : { kind: 'likely', expected: why.expected, waitedMs: why.waitedMs }
}

interface Items {
  readonly source: ItemSource
  readonly poller: ItemPoller
  /** Rings when there may be more of them to read. */
  readonly more: WakeSignal
}

/** Polls one account: every list in a loop of its own, and what is read item by item too, all through one gate. */
export class AccountPoller {
  readonly #options: AccountPollerOptions
  readonly #lists: readonly ListPoller[]
  readonly #items: readonly Items[]
  readonly #shipmentsRead = new WakeSignal()
  readonly #calendar: CalendarPoller
  readonly #settling: SettlePoller
  readonly #accountClient: AccountClient
  readonly #plan: ReadingPlan
  readonly #spare: SpareReads
  readonly #passEnded = new WakeSignal()
  #lastAnswerAt: number | null = null

  constructor(given: AccountPollerOptions) {
    const clocks = new ClockWatch(given)
    const options = { ...given, clocks, clock: clocks.clock }
    this.#options = options
    const { account, clock, committer } = options
    const accountClient = openAccountClient(options, {
      answered: (at) => (this.#lastAnswerAt = at),
      witness: async (watch) =>
        (await this.#items.find(({ source }) => source.watch === watch)?.poller.witness()) ?? null,
    })
    const plan = new ReadingPlan({ ...options, accountClient })
    this.#accountClient = accountClient
    this.#plan = plan
    this.#spare = new SpareReads({
      clock,
      accountClient,
      scheduler: plan.scheduler,
      announced: plan.announced,
      learnt: plan.learnt,
      closedMs: ({ resource }) => accountClient.closedMs(watchedAs(resource)),
      read: async (target, why, signal) =>
        (await this.#attempt(async () => this.#readUnit(target, why, signal), signal)) ?? false,
    })
    this.#lists = LISTS.flatMap((name) => {
      const watch = account.watch[name]
      const churn = new ChurnWatch({ ...options, watch: name, onChurn: () => plan.learnAnew(name) })
      return watch === undefined ? [] : [new ListPoller({ ...options, watch: name, accountClient, churn, plan })]
    })
    this.#settling = new SettlePoller(options)
    const quarantine = new ItemQuarantine({ ...options, watch: 'invoices' })
    const verifier = new InvoiceVerifier({ ...options, accountClient, quarantine })
    this.#calendar = new CalendarPoller({ ...options, verifier })
    const store = committer.store
    const sources = [
      { source: new TrackingItems({ account, store, clock }), more: this.#shipmentsRead },
      { source: new OrderPreparationItems({ account, store, clock }), more: new WakeSignal() },
    ]
    this.#items = sources.flatMap(({ source, more }) => {
      const watch = account.watch[source.watch]
      const churn = new ChurnWatch({ ...options, watch: source.watch, onChurn: () => plan.learnAnew(source.watch) })
      const quarantine = new ItemQuarantine({ ...options, watch: source.watch })
      const reader = new ItemReader({ ...options, source, accountClient, churn, quarantine, plan })
      return watch === undefined
        ? []
        : [{ source, more, poller: new ItemPoller({ ...options, source, reader, quarantine, plan, accountClient }) }]
    })
  }

  get account(): AccountSettings {
    return this.#options.account
  }

  /** When the last successful answer arrived; null: none since the start. */
  get lastAnswerAt(): number | null {
    return this.#lastAnswerAt
  }

  /** Polls until `signal` aborts; never gives up. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#attempt(async () => this.#plan.load(), signal)
    await this.#keepApart(signal)
    const lists = this.#lists.map(async (poller) => this.#runList(poller, signal))
    const items = this.#items.map(async (each) => this.#runItems(each, signal))
    const edges = [
      this.#runEdges(this.#calendar, this.#passEnded, signal),
      this.#runEdges(this.#settling, new WakeSignal(), signal),
    ]
    const spare = this.#spare.loops.map(async (loop) => this.#runOn(async () => loop(signal), signal))
    await Promise.all([...lists, ...items, ...edges, ...spare])
    await this.#attempt(async () => this.#plan.save(), signal)
  }

  /**
   * One full pass over everything that is watched, with a look at the calendar before and after: the pass verifies what a
   * fetch before it did not find, and shows what is due since.
   */
  async once(signal: AbortSignal): Promise<readonly OncePass[]> {
    await this.#calendar.settle(signal)
    const passes = await this.#oncePasses(signal)
    await this.#settling.round(signal)
    const waiting = await this.#calendar.settle(signal)
    if (waiting === 0) return passes
    const incomplete = `the platform did not verify ${waiting} invoices whose dates have come`
    return [...passes, { resource: 'calendar', incomplete }]
  }

  /** Accounts that start together do not ask in lockstep; whoever is new sees what there is at once. */
  async #keepApart(signal: AbortSignal): Promise<void> {
    const { clock, random, startWithinMs = 0 } = this.#options
    if (startWithinMs === 0) return
    const wasRead = await this.#attempt(async () => this.#wasRead(), signal)
    if (wasRead === true) await clock.sleep(startWithinMs * random(), signal)
  }

  /** Whether anything of the account was read before. */
  async #wasRead(): Promise<boolean> {
    const { account, committer } = this.#options
    const { references = [] } = account.watch.order_preparations ?? {}
    const preparations = await committer.store.known(account.name, 'order_preparation', references)
    const lists = await Promise.all(LISTS.map(async (name) => committer.store.listState(account.name, RECORD_OF[name])))
    return preparations.size > 0 || lists.some(({ baselinedAt }) => baselinedAt !== null)
  }

  async #oncePasses(signal: AbortSignal): Promise<readonly OncePass[]> {
    const lists = await Promise.all(
      this.#lists.map(async (poller) => ({
        resource: poller.watch,
        incomplete: (await poller.pass(signal)).reason,
      })),
    )
    const items = await Promise.all(
      this.#items.map(async (each) => ({
        resource: each.source.watch,
        incomplete: (await this.#onceItems(each, signal)) ?? missingOwners(each.source, lists),
      })),
    )
    return [...lists, ...items]
  }

  async #onceItems({ poller, source }: Items, signal: AbortSignal): Promise<string | null> {
    const startedAt = this.#options.clock.now()
    const failed = new Map<string, string>()
    for (;;) {
      const batch = await poller.batch({ readBefore: startedAt, except: failed, signal })
      for (const { id, reason } of batch.failed) failed.set(id, reason)
      if (batch.read === 0 && batch.failed.length === 0) break
    }
    const [first] = failed
    return first === undefined ? null : `${failed.size} ${source.noun} not read, ${first[0]} for example: ${first[1]}`
  }

  async #readUnit(target: Target, why: Choice | 'announced', signal: AbortSignal): Promise<boolean> {
    const reason = reasonOf(why)
    if (target.kind === 'page') return this.#readPage(target, { why: reason, signal })
    const items = this.#items.find(({ source }) => RECORD_OF[source.watch] === target.resource)
    if (items === undefined) return false
    const priority = why === 'announced' ? 'announced' : 'spare'
    return items.poller.readOne(target.id, { signal, why: reason, priority })
  }

  async #readPage({ resource, skip }: PageTarget, how: { why: ReadReason; signal: AbortSignal }): Promise<boolean> {
    const poller = this.#lists.find(({ watch }) => RECORD_OF[watch] === resource)
    const page = await poller?.readExtraPage({ skip, ...how })
    if (page !== undefined && page.changed > 0) this.#shipmentsRead.notify()
    return page?.reason === null
  }

  async #runList(poller: ListPoller, signal: AbortSignal): Promise<void> {
    let incomplete = 0
    while (!signal.aborted) {
      await this.#attempt(async () => this.#plan.load(), signal)
      await this.#accountClient.untilOpen(poller.watch, signal)
      if (signal.aborted) return
      const startedAt = this.#options.clock.now()
      const report = await this.#attempt(async () => poller.pass(signal), signal)
      if (report !== null && report.changed > 0) this.#shipmentsRead.notify()
      if (report !== null) this.#passEnded.notify()
      await this.#attempt(async () => this.#plan.endPass(), signal)
      incomplete = report?.isCutShort === false ? 0 : incomplete + 1
      const last = { name: poller.watch, startedAt, incomplete }
      await awaitTurn(last, { ...this.#options, plan: this.#plan }, signal)
    }
  }

  /** A loop that ends where `signal` aborts; one that fails begins again. */
  async #runOn(loop: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await this.#attempt(loop, signal)) === null) await this.#options.clock.sleep(RETRY_FIRST_MS, signal)
    }
  }

  /** Rings what time alone brings about. */
  async #runEdges(edges: CalendarPoller | SettlePoller, sooner: WakeSignal, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const rang = await this.#attempt(async () => edges.round(signal), signal)
      const pauseMs = await this.#attempt(async () => edges.pauseMs(), signal)
      const leastMs = rang === null ? RETRY_FIRST_MS : 0
      await sooner.wait(this.#options.clock, Math.max(pauseMs ?? RETRY_FIRST_MS, leastMs), signal)
    }
  }

  async #runItems({ poller, source, more }: Items, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!signal.aborted) {
      const everyMs = this.#plan.itemAgeMs(source.watch)
      const batch = await this.#attempt(
        async () => poller.batch({ readBefore: clock.now() - everyMs + 1, signal }),
        signal,
      )
      if (batch !== null && batch.read > 0) continue
      const dueAt = await this.#attempt(async () => poller.nextDueAt(everyMs), signal)
      const pauseMs = dueAt === null ? everyMs : dueAt - clock.now()
      const leastMs = batch === null ? RETRY_FIRST_MS : this.#accountClient.closedMs(source.watch)
      await more.wait(clock, Math.min(Math.max(pauseMs, leastMs), this.#plan.lookMs), signal)
    }
  }

  /** The edge where a failed pass ends: logged once, and polling goes on. null: it failed, or was cut by shutdown. */
  async #attempt<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (!signal.aborted) {
        const account = this.#options.account.name
        this.#options.log.error({ account, error: String(error), next: 'retry' }, 'poll.failed')
      }
      return null
    }
  }
}
