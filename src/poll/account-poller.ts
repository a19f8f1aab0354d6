import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings, ListWatch } from '../model/account.ts'
import { delay } from '../plan/backoff.ts'
import type { Platform } from '../platform/platform.ts'
import { Bell } from '../bell.ts'
import type { Committer } from './committer.ts'
import { Gate, type Patience } from './gate.ts'
import { HealthWatch } from './health.ts'
import { ListPoller } from './list-poller.ts'
import type { Progress } from './progress.ts'
import { TrackingPoller } from './tracking-poller.ts'
import { TrackingReader } from './tracking-reader.ts'

export interface AccountPollerOptions {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly committer: Committer
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly progress: Progress
  readonly patience: Patience
}

/** What `once` could not read, for people; null when everything was. */
export interface OncePass {
  readonly resource: string
  readonly incomplete: string | null
}

const RETRY_FIRST_MS = 1_000
const RETRY_MOST_MS = 5 * 60_000

const NOT_ALL_SHIPMENTS = 'the shipments were not all read'

const LISTS = ['shipments', 'invoices'] as const

/** Polls one account: every list in a loop of its own, tracking in another, all through one gate. */
export class AccountPoller {
  readonly #options: AccountPollerOptions
  readonly #lists: readonly { readonly watch: ListWatch; readonly poller: ListPoller }[]
  readonly #tracking: TrackingPoller
  readonly #shipmentsRead = new Bell()
  #lastAnswerAt: number | null = null

  constructor(options: AccountPollerOptions) {
    this.#options = options
    const { account, clock, committer, random } = options
    const health = new HealthWatch(account.name, committer)
    const gate = new Gate({
      budget: account.budget,
      clock,
      random,
      patience: options.patience,
      observe: async (outcome, result) => {
        committer.countRequest(account, outcome.exchange.answeredAt)
        if (result === 'success') this.#lastAnswerAt = outcome.exchange.answeredAt
        await health.observe(outcome, result)
      },
    })
    this.#lists = LISTS.flatMap((name) => {
      const watch = account.watch[name]
      return watch === undefined ? [] : [{ watch, poller: new ListPoller({ ...options, watch: name, gate }) }]
    })
    this.#tracking = new TrackingPoller({ ...options, reader: new TrackingReader({ ...options, gate }) })
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
    const lists = this.#lists.map(async ({ watch, poller }) => this.#runList(watch, poller, signal))
    const { tracking } = this.#options.account.watch
    await Promise.all([...lists, tracking === undefined ? null : this.#runTracking(tracking, signal)])
  }

  /** One full pass over everything that is watched. */
  async once(signal: AbortSignal): Promise<readonly OncePass[]> {
    const lists = await Promise.all(
      this.#lists.map(async ({ poller }) => ({
        resource: poller.watch,
        incomplete: (await poller.pass(signal)).reason,
      })),
    )
    if (this.#options.account.watch.tracking === undefined) return lists
    const shipments = lists.find(({ resource }) => resource === 'shipments')
    const incomplete = (await this.#onceTracking(signal)) ?? (shipments?.incomplete == null ? null : NOT_ALL_SHIPMENTS)
    return [...lists, { resource: 'tracking', incomplete }]
  }

  async #onceTracking(signal: AbortSignal): Promise<string | null> {
    const startedAt = this.#options.clock.now()
    const failed = new Map<string, string>()
    for (;;) {
      const batch = await this.#tracking.batch({ readBefore: startedAt, except: failed, signal })
      for (const { shipmentId, reason } of batch.failed) failed.set(shipmentId, reason)
      if (batch.read === 0 && batch.failed.length === 0) break
    }
    const [first] = failed
    return first === undefined
      ? null
      : `${failed.size} shipments' tracking not read, ${first[0]} for example: ${first[1]}`
  }

  async #runList(watch: ListWatch, poller: ListPoller, signal: AbortSignal): Promise<void> {
    let incomplete = 0
    while (!signal.aborted) {
      const startedAt = this.#options.clock.now()
      const report = await this.#attempt(async () => poller.pass(signal), signal)
      if (report !== null && report.changed > 0) this.#shipmentsRead.ring()
      incomplete = report?.complete === true ? 0 : incomplete + 1
      await this.#options.clock.sleep(this.#pauseMs({ watch, startedAt, incomplete }), signal)
    }
  }

  /** A pass that was cut short is repeated sooner than its turn, but never in a hurry. */
  #pauseMs(last: { watch: ListWatch; startedAt: number; incomplete: number }): number {
    const { clock, random } = this.#options
    const { everyMs } = last.watch
    const untilNext = Math.min(last.startedAt + everyMs - clock.now(), everyMs)
    if (last.incomplete === 0) return untilNext
    const retry = delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count: last.incomplete, random: random() })
    return Math.min(Math.max(untilNext, RETRY_FIRST_MS), retry)
  }

  async #runTracking(watch: ListWatch, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!signal.aborted) {
      const batch = await this.#attempt(
        async () => this.#tracking.batch({ readBefore: clock.now() - watch.everyMs + 1, signal }),
        signal,
      )
      if (batch !== null && batch.read > 0) continue
      const dueAt = await this.#attempt(async () => this.#tracking.nextDueAt(watch.everyMs), signal)
      const pauseMs = dueAt === null ? watch.everyMs : dueAt - clock.now()
      await this.#shipmentsRead.wait(clock, Math.max(pauseMs, batch === null ? RETRY_FIRST_MS : 0), signal)
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
