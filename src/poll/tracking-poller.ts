import type { Clock } from '../clock.ts'
import { accountEvent } from '../detect/service-event.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import { delay } from '../plan/backoff.ts'
import type { ListState, TrackingItem } from '../store/ports.ts'
import type { Committer } from './committer.ts'
import type { Progress } from './progress.ts'
import type { TrackingReader } from './tracking-reader.ts'

/** Tracking is read for 7 days after the read that first showed its shipment finished or cancelled (contract section 3.1). */
const AFTER_CLOSED_MS = 7 * 86_400_000

/** Items taken at a time: few enough that a new shipment does not wait long, enough that a stalled one holds up little. */
const BATCH_PER_SLOT = 25

const RETRY_FIRST_MS = 5_000
const RETRY_MOST_MS = 5 * 60_000

/** A baseline does not wait for an item that failed this often in a row. */
const GIVEN_UP_AFTER = 3

export interface TrackingPollerOptions {
  readonly account: AccountSettings
  readonly reader: TrackingReader
  readonly committer: Committer
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly progress: Progress
}

export interface BatchOptions {
  readonly readBefore: number
  /** Items to leave out. */
  readonly except?: ReadonlyMap<string, unknown>
  readonly signal: AbortSignal
}

export interface TrackingBatch {
  readonly read: number
  readonly events: number
  readonly failed: readonly { readonly shipmentId: string; readonly reason: string }[]
}

/** Reads the tracking of every live shipment, the one that waited longest first. */
export class TrackingPoller {
  readonly #options: TrackingPollerOptions
  /** Items whose last read failed: one that always fails must hold up no other. */
  readonly #setbacks = new Map<string, { readonly count: number; readonly retryAt: number }>()
  #baselineDone = 0

  constructor(options: TrackingPollerOptions) {
    this.#options = options
  }

  /** Reads some of the items whose last read was sent before `readBefore`; nothing read and nothing failed: none was due. */
  async batch({ readBefore, except, signal }: BatchOptions): Promise<TrackingBatch> {
    const startedAt = this.#options.clock.now()
    const list = await this.#list(startedAt)
    const most = BATCH_PER_SLOT * this.#options.account.budget.concurrency
    const passedOver = this.#setbacks.size + (except?.size ?? 0)
    const limit = list.baselinedAt === null ? Number.MAX_SAFE_INTEGER : most + passedOver
    const due = (await this.#queue(readBefore, limit)).filter(
      ({ shipmentId }) => except?.has(shipmentId) !== true && this.#mayRead(shipmentId, startedAt),
    )
    const items = due.slice(0, most)
    const watchedSince = list.passStartedAt ?? startedAt
    const failed: { shipmentId: string; reason: string }[] = []
    let events = 0
    await this.#inParallel(items, async ({ shipmentId }) => {
      const result = await this.#options.reader.read(shipmentId, { signal, watchedSince })
      if (result.kind === 'read') events += result.events
      else failed.push({ shipmentId, reason: result.reason })
      this.#note(shipmentId, result.kind)
      if (list.baselinedAt === null) this.#report(due.length)
    })
    if (list.baselinedAt === null) await this.#endBaseline(list)
    const batch = { read: items.length - failed.length, events, failed }
    if (items.length > 0) this.#log(batch, startedAt)
    return batch
  }

  /** No more wait at the gate than may be under way, so that pages of lists get their turn between them. */
  async #inParallel(items: readonly TrackingItem[], read: (item: TrackingItem) => Promise<void>): Promise<void> {
    const queue = items.values()
    const worker = async (): Promise<void> => {
      for (const item of queue) await read(item)
    }
    const workers = Array.from({ length: this.#options.account.budget.concurrency }, worker)
    const ended = await Promise.allSettled(workers)
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }

  /** When the next item is due for a reading interval of `everyMs`; null where there is none. */
  async nextDueAt(everyMs: number): Promise<number | null> {
    const now = this.#options.clock.now()
    const waiting = await this.#queue(Number.MAX_SAFE_INTEGER, this.#setbacks.size + 1)
    const times = waiting.map(({ shipmentId, lastSentAt }) =>
      Math.max(lastSentAt === null ? now : Math.min(lastSentAt, now) + everyMs, this.#retryAt(shipmentId, now)),
    )
    return times.length === 0 ? null : times.reduce((first, at) => Math.min(first, at))
  }

  async #list(startedAt: number): Promise<ListState> {
    const { account, committer } = this.#options
    const state = await committer.store.listState(account.name, 'tracking')
    return state.pass > 0 ? state : committer.store.startPass(account.name, 'tracking', startedAt)
  }

  async #queue(readBefore: number, limit: number): Promise<readonly TrackingItem[]> {
    const { account, clock, committer } = this.#options
    const now = clock.now()
    const closedAfter = now - AFTER_CLOSED_MS
    return committer.store.trackingQueue(account.name, { closedAfter, readBefore, now, limit })
  }

  #mayRead(shipmentId: string, now: number): boolean {
    return this.#retryAt(shipmentId, now) <= now
  }

  /** `now` where nothing stands in the way; a clock set back makes no wait longer than the longest. */
  #retryAt(shipmentId: string, now: number): number {
    return Math.min(this.#setbacks.get(shipmentId)?.retryAt ?? now, now + RETRY_MOST_MS)
  }

  #note(shipmentId: string, result: 'read' | 'failed'): void {
    const { clock, random } = this.#options
    if (result === 'read') {
      this.#baselineDone += 1
      this.#setbacks.delete(shipmentId)
      return
    }
    const count = (this.#setbacks.get(shipmentId)?.count ?? 0) + 1
    const waitMs = delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count, random: random() })
    this.#setbacks.set(shipmentId, { count, retryAt: clock.now() + waitMs })
  }

  #report(waiting: number): void {
    const { account, progress } = this.#options
    const done = this.#baselineDone
    progress({ account: account.name, watch: 'tracking', done, total: Math.max(waiting, done) })
  }

  /** The baseline of tracking ends when no live shipment is left unread, but for those that fail again and again. */
  async #endBaseline(list: ListState): Promise<void> {
    const { account, clock, committer } = this.#options
    const shipments = await committer.store.listState(account.name, 'shipment')
    const all = await this.#queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const waits = ({ shipmentId, lastSentAt }: TrackingItem): boolean =>
      lastSentAt === null && (this.#setbacks.get(shipmentId)?.count ?? 0) < GIVEN_UP_AFTER
    if (shipments.baselinedAt === null || all.some(waits)) return
    const at = clock.now()
    const state = { ...list, completedAt: at, baselinedAt: at }
    const extras = { resource: 'tracking', count: all.length }
    await committer.commitAccountEvent(
      account.name,
      (before) =>
        accountEvent({ account: account.name, state: before, type: 'account.baseline_completed', at, extras }),
      { resource: 'tracking', state },
    )
  }

  #log(batch: TrackingBatch, startedAt: number): void {
    const { account, clock, log } = this.#options
    const [first] = batch.failed
    const line = {
      account: account.name,
      resource: 'tracking',
      complete: first === undefined,
      read: batch.read,
      failed: batch.failed.length,
      events: batch.events,
      duration_ms: clock.now() - startedAt,
    }
    if (first === undefined) log.info(line, 'poll.completed')
    else log.warn({ ...line, reason: first.reason, shipment: first.shipmentId }, 'poll.completed')
  }
}
