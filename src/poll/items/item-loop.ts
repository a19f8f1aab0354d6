import { RECORD_OF } from '../../model/resource.ts'
import type { ListState } from '../../store/list-port.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { Settled } from '../lists/removals.ts'
import { inParallel } from '../requests/in-parallel.ts'
import { ItemReader, type ItemContext, type ItemRead, type ItemReadOptions } from './item-reader.ts'
import { ItemRound } from './item-round.ts'
import { Setbacks } from './setbacks.ts'

/** Items taken at a time: few enough that a new item does not wait long, enough that a stalled one holds up little. */
const BATCH_PER_SLOT = 25

/** A baseline does not wait for an item that failed this often in a row. */
const GIVEN_UP_AFTER = 3

export interface BatchOptions {
  readonly readBefore: number
  /** Items to leave out. */
  readonly except?: ReadonlyMap<string, unknown>
  readonly signal: AbortSignal
}

type FailedItem = Extract<ItemRead, { readonly kind: 'failed' }> & { readonly id: string }

export interface ItemBatch {
  readonly read: number
  readonly events: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
}

/** Reads the items of a source, the one that waited longest first. */
export class ItemLoop {
  readonly #context: ItemContext
  readonly #reader: ItemReader
  readonly #round: ItemRound
  readonly #setbacks = new Setbacks()
  /** The item that answered last. */
  #witness: string | null = null
  #baselineDone = 0
  /** With those that wait, as of when they were last counted. */
  #baselineTotal = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: ItemContext) {
    this.#context = context
    this.#reader = new ItemReader(context)
    this.#round = new ItemRound(context)
  }

  get source(): ItemContext['source'] {
    return this.#context.source
  }

  /**
   * Reads some of the items whose last read was sent before `readBefore`; nothing read and nothing failed: none was due, or
   * the key was refused all of them. Then one at a time shows whether that is over.
   */
  async batch({ readBefore, except, signal }: BatchOptions): Promise<ItemBatch> {
    const { clock, accountClient, plan, source } = this.#context
    if (accountClient.closedMs(source.watch) > 0) return { read: 0, events: 0, failed: [] }
    const startedAt = clock.now()
    const isProbe = accountClient.isRefused(source.watch)
    const list = await this.#begin(readBefore)
    const most = BATCH_PER_SLOT * this.#context.account.budget.concurrency
    const passedOver = this.#setbacks.size + (except?.size ?? 0)
    const isCounted = list.baselinedAt === null && this.#baselineDone >= this.#baselineTotal
    const limit = isCounted ? Number.MAX_SAFE_INTEGER : most + passedOver
    const due = (await source.queue(readBefore, limit)).filter(
      ({ id }) => except?.has(id) !== true && (isProbe || this.#setbacks.retryAt(id, startedAt) <= startedAt),
    )
    if (isCounted) this.#baselineTotal = this.#baselineDone + due.length
    const items = isProbe ? this.#setbacks.first(due, startedAt) : due.slice(0, most)
    const failed: FailedItem[] = []
    let events = 0
    const regular = plan.targetReason(source.watch)
    await inParallel(items, this.#context.account.budget.concurrency, async ({ id, lastSentAt }) => {
      if (await this.#wasReadSince(id, readBefore)) return
      const why = lastSentAt === null ? ({ kind: 'first' } as const) : regular
      const result = await this.#reader.read(id, { signal, list, why })
      if (result.kind === 'read') {
        events += result.events
        this.#round.note(id, result)
      } else failed.push({ ...result, id })
      this.#note(id, result)
      if (result.kind === 'read' && result.exchange.ageMs !== undefined) await this.#noteOld(id, readBefore)
      if (list.baselinedAt === null) this.#report()
    })
    await this.#context.quarantine.endBatch()
    if (failed.length === items.length) await this.#judgeRefusals(failed, { list, why: regular, signal })
    else if (isProbe) this.#setbacks.endRefusals()
    const round = items.length === 0 && list.baselinedAt !== null ? null : await this.#endRound()
    const batch = { read: items.length - failed.length, events: events + (round?.events ?? 0), failed }
    if (items.length > 0) this.#log(batch, { startedAt, round })
    return batch
  }

  /** Reads one item for its own sake, beyond what is due; false: it came to nothing. */
  async readOne(id: string, options: Omit<ItemReadOptions, 'list'>): Promise<boolean> {
    const now = this.#context.clock.now()
    const { account, committer, accountClient, source } = this.#context
    if (this.#setbacks.retryAt(id, now) > now || accountClient.closedMs(source.watch) > 0) return false
    const list = await committer.store.listState(account.name, RECORD_OF[source.watch])
    if (list.baselinedAt === null || !(await this.#reader.isRead(id, { list, now }))) return false
    const result = await this.#reader.read(id, { ...options, list })
    this.#note(id, result)
    if (result.kind === 'failed') return false
    this.#round.note(id, result)
    await this.#endRound()
    return true
  }

  /** When the next item is due for a reading interval of `everyMs`; null where there is none. */
  async nextDueAt(everyMs: number): Promise<number | null> {
    const now = this.#context.clock.now()
    const waiting = await this.#context.source.queue(Number.MAX_SAFE_INTEGER, this.#setbacks.size + 1)
    const times = waiting.map(({ id, lastSentAt }) =>
      Math.max(lastSentAt === null ? now : Math.min(lastSentAt, now) + everyMs, this.#setbacks.retryAt(id, now)),
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
      return state.pass > 0 && !isDue ? state : committer.store.startPass(account.name, resource, now)
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
      return this.#round.settle(list, (id) => this.#isGivenUp(id))
    })
  }

  /** Rounds begin and end one after the other, whoever reads: a 404 counts as one miss in each. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  #isGivenUp(id: string): boolean {
    return this.#setbacks.count(id) >= GIVEN_UP_AFTER
  }

  /** A copy from a cache gets no newer when it is asked for again at once. */
  async #noteOld(id: string, readBefore: number): Promise<void> {
    const { clock, plan, source } = this.#context
    if (await this.#wasReadSince(id, readBefore)) return
    this.#setbacks.old(id, { now: clock.now(), waitMs: plan.itemAgeMs(source.watch) })
  }

  #note(id: string, result: ItemRead): void {
    const { clock, random } = this.#context
    if (result.kind === 'failed') {
      this.#setbacks.failed(id, { now: clock.now(), random: random(), why: result.why })
      return
    }
    this.#baselineDone += 1
    this.#witness = id
    this.#setbacks.over(id)
  }

  /** The item that was read last, be it by another process; null: none ever was. */
  async witness(): Promise<string | null> {
    if (this.#witness !== null) return this.#witness
    const known = await this.#context.source.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return known.at(-1)?.id ?? null
  }

  /** Where no item of a batch answered and some were refused, the item that answered last is asked: are all refused? */
  async #judgeRefusals(failed: readonly FailedItem[], options: Omit<ItemReadOptions, 'priority'>): Promise<void> {
    const { accountClient, source } = this.#context
    const refused = failed.find(({ exchange, why }) => why === 'refused' && exchange !== null)
    if (refused?.exchange == null || failed.some(({ why }) => why === 'rejected')) return
    const witness = accountClient.isRefused(source.watch) ? null : await this.witness()
    if (witness !== null && !failed.some(({ id }) => id === witness)) {
      const result = await this.#reader.read(witness, options)
      this.#note(witness, result)
      if (result.kind === 'read') this.#round.note(witness, result)
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
    if (!(await source.isBaselineRead((id) => this.#isGivenUp(id)))) return
    const at = clock.now()
    const state = { ...list, completedAt: at, baselinedAt: at }
    const extras = {
      resource: source.watch,
      count: (await source.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).length,
    }
    const event = { type: 'account.baseline_completed', at, extras } as const
    const resource = RECORD_OF[source.watch]
    const changes = [{ kind: 'list', resource, state }] as const
    const provenance = { by: 'items', resource, exchanges: [] } as const
    await ringAccount(committer, { account: account.name, changes, provenance }, () => event)
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

/**
 * A round that began later than now began before the clock was set back: it counts as over, or nothing would ever end it. An end
 * that is later than now is not the end of this round.
 */
function isRoundOver({ completedAt, passStartedAt }: ListState, now: number): boolean {
  if (passStartedAt === null || passStartedAt > now) return true
  return completedAt !== null && completedAt >= passStartedAt && completedAt <= now
}

/** Whether the last round began at `instant` or later. */
function isRoundSince({ passStartedAt }: ListState, instant: number, now: number): boolean {
  return passStartedAt !== null && passStartedAt >= instant && passStartedAt <= now
}
