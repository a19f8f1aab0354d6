import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { keptForFeed, type Subscription } from '../model/subscription.ts'
import type { FeedStore } from '../store/ports/feed-port.ts'
import type { RetentionStore, SweepPlace } from '../store/ports/retention-port.ts'

/** Few enough that a claim or a commit hardly waits for the store. */
const PAYLOADS_AT_ONCE = 200
/** How many events lose all their rows and attempts in one step. */
const EVENTS_AT_ONCE = 20
const FEED_ROWS_AT_ONCE = 500
const RECORDS_AT_ONCE = 100
const PAUSE_MS = 20
/** A feed knows by itself where it goes on. */
const ANYWHERE: SweepPlace = { storedAt: 0, ref: 0 }

const MOST_OFTEN_MS = 1_000
const LEAST_OFTEN_MS = 3_600_000
/** How much later than `retention` says a payload may go, as a part of it. */
const LATENESS = 0.1

/** Steps of the ledger after which `once` ends: some seconds, and as much as its next run brings. */
const STEPS_OF_ONE_RUN = 250

export interface RetentionDeps {
  readonly store: Pick<RetentionStore, 'expirePayloads' | 'dropEnded' | 'listRecords'> & Pick<FeedStore, 'endFeed'>
  readonly clock: Clock
  readonly log: Logger
  readonly settings: () => RetentionSettings
  /** Called when rows of a feed were exhausted; left out: nobody is told. */
  readonly onUntaken?: () => void
}

interface RetentionSettings {
  /** How long payloads are kept after the last delivery of their event ended, and events with their rows. */
  readonly retention: { readonly payloadsMs: number; readonly ledgerMs: number }
  readonly subscriptions: readonly Subscription[]
}

/** Expires payloads and what feeds kept too long, and drops what ended long ago, in small steps, so that neither polls nor deliveries wait for it. */
export class Retention {
  readonly #deps: RetentionDeps

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** Sweeps at once and then now and then, until `signal` aborts. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, settings } = this.#deps
    while (!signal.aborted) {
      const shortest = Math.min(settings().retention.payloadsMs, ...this.#feeds.map(({ keepMs }) => keepMs))
      const pause = Math.min(Math.max(shortest * LATENESS, MOST_OFTEN_MS), LEAST_OFTEN_MS)
      try {
        await this.#sweep(signal, Infinity)
      } catch (error) {
        if (signal.aborted) return
        log.error({ error: String(error), next: 'retry', retry_in_ms: pause }, 'retention.stalled')
      }
      await clock.sleep(pause, signal)
    }
  }

  /** One sweep of a process that ends; what a long ledger leaves is for the next. Throws `store_unusable`. */
  async once(signal: AbortSignal): Promise<void> {
    await this.#sweep(signal, STEPS_OF_ONE_RUN)
  }

  get #feeds(): readonly { readonly subscription: string; readonly keepMs: number }[] {
    return this.#deps.settings().subscriptions.flatMap(({ channel, name }) => {
      const keepMs = keptForFeed(channel)
      return keepMs === null ? [] : [{ subscription: name, keepMs }]
    })
  }

  /** What an earlier version stored is listed, once. */
  async #listRecords(signal: AbortSignal, mostSteps: number): Promise<void> {
    await this.#walk({ signal, mostSteps }, async () => {
      const amount = await this.#deps.store.listRecords(RECORDS_AT_ONCE)
      return { amount, end: amount === 0 ? null : ANYWHERE }
    })
  }

  /** What nobody took from a feed in time is exhausted. */
  async #endFeeds(signal: AbortSignal): Promise<void> {
    const { clock, log, store } = this.#deps
    for (const { keepMs, subscription } of this.#feeds) {
      const ending = { kind: 'kept too long', before: clock.now() - keepMs } as const
      const exhausted = await this.#walk({ signal, mostSteps: Infinity }, async () => {
        const { ended, isDone } = await store.endFeed({
          subscription,
          ending,
          at: clock.now(),
          most: FEED_ROWS_AT_ONCE,
        })
        return { amount: ended, end: isDone ? null : ANYWHERE }
      })
      if (exhausted === 0) continue
      log.warn({ subscription, exhausted, next: 'it is kept for replay' }, 'feed.untaken')
      this.#deps.onUntaken?.()
    }
  }

  /** What has no payload any more may be dropped, so payloads come first; `signal` ends both between two steps. */
  async #sweep(signal: AbortSignal, mostSteps: number): Promise<void> {
    const { store, clock, log, settings } = this.#deps
    const startedAt = clock.now()
    const { ledgerMs, payloadsMs } = settings().retention
    await this.#listRecords(signal, mostSteps)
    await this.#endFeeds(signal)
    const expired = await this.#walk({ signal, mostSteps: Infinity }, async (after) => {
      const before = startedAt - payloadsMs
      const step = await store.expirePayloads({ before, now: clock.now(), after, limit: PAYLOADS_AT_ONCE })
      return { amount: step.expired, end: step.end }
    })
    const dropped = await this.#walk({ signal, mostSteps }, async (after) => {
      const step = await store.dropEnded({ before: startedAt - ledgerMs, after, limit: EVENTS_AT_ONCE })
      return { amount: step.dropped, end: step.end }
    })
    if (expired + dropped === 0) return
    log.info({ expired, dropped, duration_ms: clock.now() - startedAt }, 'retention.swept')
  }

  async #walk(
    { mostSteps, signal }: { readonly signal: AbortSignal; readonly mostSteps: number },
    step: (after: SweepPlace | null) => Promise<{ readonly amount: number; readonly end: SweepPlace | null }>,
  ): Promise<number> {
    let amount = 0
    let after: SweepPlace | null = null
    for (let steps = 0; steps < mostSteps && !signal.aborted; steps += 1) {
      const done = await step(after)
      amount += done.amount
      after = done.end
      if (after === null) break
      await this.#deps.clock.sleep(PAUSE_MS, signal)
    }
    return amount
  }
}
