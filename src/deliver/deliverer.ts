import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Subscription } from '../model/subscription.ts'
import type { ClaimedDelivery, DeliveryStore } from '../store/ports.ts'
import { logAttempt } from './attempt-line.ts'
import { Bell } from '../bell.ts'
import type { SendOutcome } from './channels/channel.ts'
import { Endpoints } from './endpoints.ts'
import type { Resolve } from './guard/share-lookups.ts'
import { Outbox } from './outbox.ts'
import { Pace } from './pace.ts'
import { settlementOf } from './settlement.ts'
import { Slots } from './slots.ts'

/** Commands in other processes write rows without ringing. */
const LOOK_EVERY_MS = 1_000
const LEASE_MARGIN_MS = 60_000
const LONGEST_BACKOFF_MS = 30_000
/** Nobody waits at a terminal or in a cron job for a rate that lets a few through in an hour. */
const DRAIN_PATIENCE_MS = 60_000

export interface DelivererDeps {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly log: Logger
  /** In [0, 1): jitter. */
  readonly random: () => number
  /** Names this process in its claims. */
  readonly owner: string
  /** The current ones; a reload may answer with another list. */
  readonly subscriptions: () => readonly Subscription[]
  /** The current ones, likewise. */
  readonly settings: () => { readonly allowNetworks: readonly string[]; readonly retryMs: readonly number[] }
  readonly version: string
  /** Configured secrets beyond the subscriptions' own, which kept answers are redacted of. */
  readonly secrets?: () => readonly string[]
  /** Default: the system's resolver. */
  readonly resolve?: Resolve
}

export interface Deliverer extends AsyncDisposable {
  /** Delivers until `signal` aborts, then cuts what is under way and writes it back. Never throws for store or network. */
  run(signal: AbortSignal): Promise<void>
  /**
   * Delivers until nothing is due now or `signal` aborts, waiting up to a minute at a time for a `rate`; with `only`, makes one
   * attempt for each of these deliveries that is due and for no other. Throws `store_unusable`, with nothing lost.
   */
  drain(signal: AbortSignal, only?: readonly string[]): Promise<void>
  /** There may be work: looks at once instead of within a second. */
  wake(): void
}

export function createDeliverer(deps: DelivererDeps): Deliverer {
  return new DeliveryLoop(deps)
}

class DeliveryLoop implements Deliverer {
  readonly #deps: DelivererDeps
  readonly #endpoints: Endpoints
  readonly #bell = new Bell()
  readonly #slots = new Slots()
  readonly #pace = new Pace()
  readonly #outbox: Outbox
  readonly #underWay = new Set<Promise<void>>()

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    this.#outbox = new Outbox(deps)
    this.#endpoints = new Endpoints({ secrets: () => [], ...deps, allowNetworks: () => deps.settings().allowNetworks })
  }

  wake(): void {
    this.#bell.ring()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.#bell.wait(clock, await this.#work(signal), signal)
        failures = 0
        await nextTurn()
      } catch (error) {
        const backoff = Math.min(1_000 * 2 ** failures, LONGEST_BACKOFF_MS)
        failures += 1
        log.error({ error: String(error), next: 'retry', retry_in_ms: backoff }, 'delivery.stalled')
        await clock.sleep(backoff, signal)
      }
    }
    await this.#finish()
  }

  async drain(signal: AbortSignal, only?: readonly string[]): Promise<void> {
    const untried = only === undefined ? undefined : new Set(only)
    try {
      while (!signal.aborted) {
        const idleMs = await this.#work(signal, untried)
        const busy = this.#underWay.size > 0 || this.#outbox.size > 0
        const waitMs = busy ? idleMs : await this.#heldBackMs(untried)
        if (waitMs === null) return
        if (this.#outbox.size === 0) await this.#bell.wait(this.#deps.clock, waitMs, signal)
        await nextTurn()
      }
    } finally {
      await this.#finish()
    }
  }

  /** Settles what has ended, starts what is due and has a place; resolves to how long there is nothing more to do. */
  async #work(signal: AbortSignal, untried?: Set<string>): Promise<number> {
    const { store, clock, owner } = this.#deps
    const subscriptions = this.#deps.subscriptions()
    await this.#settle()
    await this.#endpoints.follow(subscriptions)
    this.#pace.follow(subscriptions)
    const now = clock.now()
    const leaseMs = Math.max(0, ...subscriptions.map(({ channel }) => channel.timeoutMs)) + LEASE_MARGIN_MS
    const slots = this.#pace.within(this.#slots.open(subscriptions), now)
    const choice = untried === undefined ? {} : { only: [...untried] }
    const claimed = slots.size === 0 ? [] : await store.claim({ owner, now, leaseMs, slots, ...choice })
    for (const delivery of claimed) {
      untried?.delete(delivery.id)
      this.#start(delivery, signal)
    }
    return await this.#idleMs(subscriptions, now)
  }

  /** How long, from `now`, nothing can be started unless the bell rings. */
  async #idleMs(subscriptions: readonly Subscription[], now: number): Promise<number> {
    const { store, clock } = this.#deps
    const places = this.#slots.open(subscriptions)
    const dueAt = await store.nextDueAt([...this.#pace.within(places, now).keys()])
    const instants = [dueAt, this.#pace.nextAt(places.keys(), now)].filter((at) => at !== null && at > now)
    return Math.min(LOOK_EVERY_MS, ...instants.map((at) => Math.max((at ?? 0) - clock.now(), 0)))
  }

  /** How long a rate holds back what is due; null where it holds back nothing, or for longer than anybody waits. */
  async #heldBackMs(untried?: ReadonlySet<string>): Promise<number | null> {
    const { store, clock } = this.#deps
    const now = clock.now()
    const places = this.#slots.open(this.#deps.subscriptions())
    const free = this.#pace.within(places, now)
    const heldBack = [...places.keys()].filter((name) => !free.has(name))
    const dueAt = await store.nextDueAt(heldBack, untried && [...untried])
    const freeAt = this.#pace.nextAt(heldBack, now)
    if (dueAt === null || dueAt > now || freeAt === null || freeAt > now + DRAIN_PATIENCE_MS) return null
    return Math.max(0, freeAt - clock.now())
  }

  #start(delivery: ClaimedDelivery, signal: AbortSignal): void {
    if (!this.#slots.take(delivery.id, delivery.subscription)) return
    this.#pace.begin(delivery.subscription)
    const attempt = this.#attempt(delivery, signal).finally(() => {
      this.#pace.end(delivery.subscription, this.#deps.clock.now())
      this.#underWay.delete(attempt)
      this.#bell.ring()
    })
    this.#underWay.add(attempt)
  }

  async #attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { clock, log, random, settings } = this.#deps
    const startedAt = clock.now()
    const outcome = await this.#send(delivery, signal)
    const { retryMs } = settings()
    const settlement = settlementOf({ delivery, outcome, startedAt, endedAt: clock.now(), retryMs, random: random() })
    logAttempt(log, delivery, settlement)
    this.#outbox.add(settlement)
  }

  /** The edge where an attempt's unexpected error ends: it fails this attempt and nothing else. */
  async #send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<SendOutcome> {
    try {
      return (await this.#endpoints.get(delivery.subscription)?.send(delivery, signal)) ?? { kind: 'cut' }
    } catch (error) {
      const reason = `Shipbell could not send event ${delivery.event.id}: ${String(error)}`
      return { kind: 'failed', status: null, answer: null, error: reason, retryAfterMs: null }
    }
  }

  async #settle(): Promise<void> {
    for (const id of await this.#outbox.flush()) this.#slots.free(id)
  }

  /** Waits for what is under way, which a shutdown has cut, and writes every outcome. */
  async #finish(): Promise<void> {
    await Promise.all(this.#underWay)
    for (const id of await this.#outbox.flushPatiently()) this.#slots.free(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoints[Symbol.asyncDispose]()
  }
}
