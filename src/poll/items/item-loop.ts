import { RECORD_OF } from '../../model/resource.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { Settled } from '../lists/unproved.ts'
import { inParallel } from '../requests/in-parallel.ts'
import { ItemDoubts, type FailedItem } from './item-doubts.ts'
import { ItemReader, type ItemContext, type ItemRead, type ItemReadOptions } from './item-reader.ts'
import { isRoundOver, isRoundSince, ItemRound } from './item-round.ts'
import type { QueuedItem } from './item-sources.ts'
import { Setbacks, keepSetbacks, recallSetbacks } from './setbacks.ts'
import { sampled, Witnesses } from './witnesses.ts'

/** Items taken at a time: few enough that a new item does not wait long, enough that a stalled one holds up little. */
const BATCH_PER_SLOT = 25

export interface BatchOptions {
  readonly readBefore: number
  /** Items to leave out. */
  readonly except?: ReadonlyMap<string, unknown>
  /** Whether items that fail alone are read before the end of their wait, too. */
  readonly evenWaiting?: boolean
  readonly signal: AbortSignal
}

type ReadOptions = Omit<ItemReadOptions, 'blame'>

export interface ItemBatch {
  readonly read: number
  readonly events: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
}

interface DueOptions extends Pick<BatchOptions, 'readBefore'> {
  readonly except: BatchOptions['except'] | undefined
  readonly evenWaiting: boolean
  readonly isProbe: boolean
  readonly list: ListState
  readonly startedAt: number
}

/** Reads the items of a source, the one that waited longest first. */
export class ItemLoop {
  readonly #context: ItemContext
  readonly #reader: ItemReader
  readonly #round: ItemRound
  readonly #setbacks: Setbacks
  readonly #doubts: ItemDoubts
  #isRecalled = false
  readonly #witnesses: Witnesses
  #baselineDone = 0
  /** How many items the baseline has, with those that wait, as of when they were last counted. */
  #baselineTotal = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: ItemContext) {
    this.#context = context
    this.#reader = new ItemReader(context)
    this.#round = new ItemRound(context)
    const { account, source } = context
    const setbacks = new Setbacks(account.watch[source.watch]?.everyMs ?? 0)
    this.#setbacks = setbacks
    this.#witnesses = new Witnesses(source)
    this.#doubts = new ItemDoubts({ ...context, setbacks, answeredBefore: async () => this.#witnesses.all() })
  }

  get source(): ItemContext['source'] {
    return this.#context.source
  }

  /**
   * Reads some of the items whose last read was sent before `readBefore`; nothing read and nothing failed: none was due, or
   * the key was refused all of them. Then one at a time shows whether that is over.
   */
  async batch({ readBefore, except, evenWaiting = false, signal }: BatchOptions): Promise<ItemBatch> {
    const { clock, accountClient, plan, source } = this.#context
    if (accountClient.closedMs(source.watch) > 0) return { read: 0, events: 0, failed: [] }
    await this.#recall()
    const startedAt = clock.now()
    const isProbe = accountClient.isRefused(source.watch) || this.#doubts.isDown
    const list = await this.#begin(readBefore)
    const options = { signal, list, why: plan.targetReason(source.watch) }
    const items = await this.#due({ readBefore, except, evenWaiting, isProbe, list, startedAt })
    const failed: FailedItem[] = []
    let read = 0
    let events = 0
    const readItem = async (id: string): Promise<ItemRead> => this.#read(id, options)
    await inParallel(items, this.#context.account.budget.concurrency, async ({ id, lastSentAt }) => {
      if (!isProbe && !(await this.#doubts.mayGoOn(readItem))) return
      if (await this.#wasReadSince(id, readBefore)) {
        read += 1
        return
      }
      const result = await this.#read(id, lastSentAt === null ? { ...options, why: { kind: 'first' } } : options)
      if (result.kind === 'read') {
        read += 1
        events += result.events
      } else failed.push({ ...result, id })
      if (result.kind === 'read' && result.exchange.ageMs !== undefined) await this.#noteOld(id, readBefore)
      if (list.baselinedAt === null) this.#report()
    })
    if (read === 0) await this.#doubts.endBatch(readItem)
    await this.#context.quarantine.endBatch()
    if (read === 0) await this.#judgeRefusals(failed, options)
    else if (isProbe) this.#setbacks.end('refused')
    await keepSetbacks(this.#context, this.#setbacks)
    const round = items.length === 0 && list.baselinedAt !== null ? null : await this.#endRound()
    const batch = { read, events: events + (round?.events ?? 0), failed }
    if (items.length > 0) this.#log(batch, { startedAt, round })
    return batch
  }

  /** What is read next, the one that waited longest first; where nothing answers, one item that shows whether that is over. */
  async #due({
    evenWaiting,
    except,
    isProbe,
    list,
    readBefore,
    startedAt,
  }: DueOptions): Promise<readonly QueuedItem[]> {
    const { account, source } = this.#context
    const most = BATCH_PER_SLOT * account.budget.concurrency
    const passedOver = this.#setbacks.size + (except?.size ?? 0)
    const isCounted = list.baselinedAt === null && this.#baselineDone >= this.#baselineTotal
    const limit = isCounted ? Number.MAX_SAFE_INTEGER : most + passedOver
    const mayRead = (id: string): boolean =>
      isProbe || (evenWaiting && this.#setbacks.isOwn(id)) || this.#setbacks.retryAt(id, startedAt) <= startedAt
    const due = (await source.queue(readBefore, limit)).filter(({ id }) => except?.has(id) !== true && mayRead(id))
    if (isCounted) this.#baselineTotal = this.#baselineDone + due.length
    if (isProbe) return this.#setbacks.first(due, startedAt)
    return (isCounted && this.#witnesses.isEmpty ? sampled(due) : due).slice(0, most)
  }

  /** Reads one item for its own sake, beyond what is due; false: it came to nothing. */
  async readOne(id: string, options: Omit<ReadOptions, 'list'>): Promise<boolean> {
    const now = this.#context.clock.now()
    const { account, committer, accountClient, source } = this.#context
    if (this.#doubts.isDown || this.#setbacks.retryAt(id, now) > now) return false
    if (accountClient.closedMs(source.watch) > 0) return false
    const list = await committer.store.listState(account.name, RECORD_OF[source.watch])
    if (list.baselinedAt === null || !(await this.#reader.isRead(id, { list, now }))) return false
    const result = await this.#read(id, { ...options, list })
    if (result.kind === 'failed') return false
    await this.#endRound()
    return true
  }

  /** When the next item is due for a reading interval of `everyMs`; null where there is none. */
  async nextDueAt(everyMs: number): Promise<number | null> {
    const now = this.#context.clock.now()
    const { isDown, retryAt } = this.#doubts
    const mayRetryAt = (id: string): number => (isDown ? retryAt : this.#setbacks.retryAt(id, now))
    const waiting = await this.#context.source.queue(Number.MAX_SAFE_INTEGER, this.#setbacks.size + 1)
    const times = waiting.map(({ id, lastSentAt }) =>
      Math.max(lastSentAt === null ? now : Math.min(lastSentAt, now) + everyMs, mayRetryAt(id)),
    )
    return times.length === 0 ? null : times.reduce((first, at) => Math.min(first, at))
  }

  /**
   * While a batch works, spare reads may have read the item. The store decides, as it does about what is due: by any other
   * measure an item could be due and left out for ever.
   */
  async #wasReadSince(id: string, instant: number): Promise<boolean> {
    const { account, clock, committer, source } = this.#context
    const known = (await committer.store.known(account.name, RECORD_OF[source.watch], [id])).get(id)
    return known !== undefined && known.lastRead.sentAt >= instant && known.lastRead.sentAt <= clock.now()
  }

  /** The state of the list. A round begins here where one is due, and nowhere else: spare reads make no round come earlier. */
  async #begin(readBefore: number): Promise<ListState> {
    const { account, clock, committer, source } = this.#context
    const resource = RECORD_OF[source.watch]
    return this.#inTurn(async () => {
      const now = clock.now()
      const state = await committer.store.listState(account.name, resource)
      const isDue = source.hasRounds && isRoundOver(state, now) && !isRoundSince(state, readBefore, now)
      if (state.pass > 0 && !isDue) return state
      return committer.writeBeside(account.name, async (store) => store.startPass(account.name, resource, now))
    })
  }

  /** The baseline ends a first round too: then there is nothing yet that could be removed. */
  async #endRound(): Promise<Settled | null> {
    const { account, clock, committer, source } = this.#context
    return this.#inTurn(async () => {
      const list = await committer.store.listState(account.name, RECORD_OF[source.watch])
      if (list.baselinedAt === null) {
        await this.#endBaseline(list)
        return null
      }
      if (!source.hasRounds || isRoundOver(list, clock.now())) return null
      return this.#round.settle(list, (id) => this.#setbacks.isGivenUp(id))
    })
  }

  /** Rounds begin and end one after the other, whoever reads: a 404 counts as one miss in each. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** A copy from a cache gets no newer when it is asked for again at once. */
  async #noteOld(id: string, readBefore: number): Promise<void> {
    const { clock, plan, source } = this.#context
    if (await this.#wasReadSince(id, readBefore)) return
    this.#setbacks.old(id, { now: clock.now(), waitMs: plan.itemAgeMs(source.watch) })
  }

  /** Reads an item, and takes note of what comes of it. */
  async #read(id: string, options: ReadOptions): Promise<ItemRead> {
    const { clock, random } = this.#context
    const result = await this.#reader.read(id, { ...options, blame: this.#doubts.blame(id) })
    if (result.kind === 'failed') {
      const { why } = result
      if (why === 'rejected') this.#doubts.answered()
      else this.#doubts.failed({ ...result, id })
      this.#setbacks.failed(id, { now: clock.now(), random: random(), why, isDown: this.#doubts.isDown })
      return result
    }
    this.#baselineDone += 1
    this.#witnesses.answered(id)
    this.#setbacks.over(id)
    this.#doubts.answered()
    this.#round.note(id, result)
    return result
  }

  /** The item that was read last, be it by another process; null: none ever was. */
  async witness(): Promise<string | null> {
    return (await this.#witnesses.all())[0] ?? null
  }

  async #recall(): Promise<void> {
    if (this.#isRecalled) return
    await recallSetbacks(this.#context, this.#setbacks)
    this.#isRecalled = true
  }

  /** Where no item of a batch answered and some were refused, the item that answered last is asked: are all refused? */
  async #judgeRefusals(failed: readonly FailedItem[], options: ReadOptions): Promise<void> {
    const { accountClient, source } = this.#context
    const refused = failed.find(({ exchange, why }) => why === 'refused' && exchange !== null)
    if (refused?.exchange == null || failed.some(({ why }) => why === 'rejected')) return
    const witness = accountClient.isRefused(source.watch) ? null : await this.witness()
    if (witness !== null && !failed.some(({ id }) => id === witness)) {
      const result = await this.#read(witness, options)
      if (result.kind === 'read' || result.why !== 'refused') return
    }
    const { exchange, reason } = refused
    await accountClient.refuse(source.watch, { kind: 'unauthorized', reason, exchange }, options.signal)
  }

  #report(): void {
    const { account, progress, source } = this.#context
    const done = this.#baselineDone
    progress({ account: account.name, watch: source.watch, done, total: Math.max(this.#baselineTotal, done) })
  }

  async #endBaseline(list: ListState): Promise<void> {
    const { account, clock, committer, source } = this.#context
    if (!(await source.isBaselineRead((id) => this.#setbacks.isGivenUp(id)))) return
    const at = clock.now()
    const state = { ...list, completedAt: at, baselinedAt: at }
    const items = await source.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const unread = items.filter(({ lastSentAt }) => lastSentAt === null).map(({ id }) => id)
    const extras = { resource: source.watch, count: items.length }
    const event = { type: 'account.baseline_completed', at, extras } as const
    const resource = RECORD_OF[source.watch]
    const changes = [{ kind: 'list', resource, state }] as const
    const provenance = { by: 'items', resource, exchanges: [] } as const
    await ringAccount(committer, { account: account.name, changes, provenance }, (before) => {
      const known = before?.memory ?? {}
      // A shipment remembers by itself that its tracking is of the baseline.
      if (!source.hasRounds || unread.length === 0) return { ...event, memory: known }
      return { ...event, memory: { ...known, unreadAtBaseline: { ...known.unreadAtBaseline, [source.watch]: unread } } }
    })
  }

  #log(batch: ItemBatch, { startedAt, round }: { startedAt: number; round: Settled | null }): void {
    const { account, clock, log, source } = this.#context
    const [first] = batch.failed
    const line = {
      account: account.name,
      resource: source.watch,
      complete: first === undefined,
      read: batch.read,
      failed: batch.failed.length,
      ...(round === null ? {} : { removed: round.removed, held: round.held }),
      events: batch.events,
      duration_ms: clock.now() - startedAt,
    }
    if (first === undefined) log.info(line, 'poll.completed')
    else log.warn({ ...line, reason: first.reason, id: first.id }, 'poll.completed')
  }
}
