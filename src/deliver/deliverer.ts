import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Subscription } from '../model/subscription.ts'
import type { Resolve } from '../names/resolve.ts'
import type { DeliveryStore, AttemptResult } from '../store/ports.ts'
import type { Cooldown } from '../store/cooldown-port.ts'
import { logAttempt } from './attempt-line.ts'
import { WakeSignal } from '../wake-signal.ts'
import type { SendOutcome } from './channels/channel.ts'
import { Circuits, type Tries } from './circuits.ts'
import type { EndpointWatch } from './endpoint-watch.ts'
import { Endpoints } from './endpoints.ts'
import { BatchDelay } from './batch-delay.ts'
import { ResultBuffer } from './result-buffer.ts'
import { RateLimits } from './rate-limits.ts'
import type { Batch } from './batches.ts'
import { Picker } from './picker.ts'
import { Cooldowns } from './cooldowns.ts'
import { attemptResultOf, type EndedAttempt } from './attempt-result.ts'
import { InFlight } from './in-flight.ts'
import { SteadyTime } from './steady-time.ts'

/** Commands in other processes write rows without ringing. */
const LOOK_EVERY_MS = 1_000
const LEASE_MARGIN_MS = 60_000
const LONGEST_BACKOFF_MS = 30_000
/** Nobody waits at a terminal or in a cron job for a rate that lets a few through in an hour, or for tomorrow's digest. */
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
  /** Tells of the life of the endpoints; left out: nobody does. */
  readonly watch?: EndpointWatch
  /** Default: the process's. */
  readonly resolve?: Resolve
}

export interface Deliverer extends AsyncDisposable {
  /** Delivers until `signal` aborts, then cuts what is under way and writes it back. Never throws for store or network. */
  run(signal: AbortSignal): Promise<void>
  /**
   * Delivers until nothing is due now or `signal` aborts, waiting up to a minute at a time for a `rate` or for what a channel
   * gathers; with `only`, makes one attempt for each of these deliveries that is due and for no other. Throws
   * `store_unusable`, with nothing lost.
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
  readonly #wake = new WakeSignal()
  readonly #time: SteadyTime
  readonly #inFlight = new InFlight()
  readonly #rateLimits = new RateLimits()
  readonly #batchDelay = new BatchDelay()
  readonly #circuits = new Circuits()
  readonly #resultBuffer: ResultBuffer
  readonly #cooldowns = new Cooldowns()
  readonly #picker: Picker
  readonly #underWay = new Set<Promise<void>>()
  #ringsSoon = false

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    this.#time = new SteadyTime(deps)
    this.#resultBuffer = new ResultBuffer(deps)
    this.#endpoints = new Endpoints({ secrets: () => [], ...deps, allowNetworks: () => deps.settings().allowNetworks })
    this.#picker = new Picker({
      ...deps,
      time: this.#time,
      endpoints: this.#endpoints,
      batchDelay: this.#batchDelay,
      inFlight: this.#inFlight,
      cooldowns: this.#cooldowns,
      resultBuffer: this.#resultBuffer,
    })
  }

  wake(): void {
    this.#wake.notify()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.#wake.wait(clock, await this.#work(signal), signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) break
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
        const rung = this.#deps.watch?.rung
        const idleMs = await this.#work(signal, untried)
        const busy = this.#underWay.size > 0 || this.#resultBuffer.size > 0
        if (!busy) await this.#deps.watch?.idle()
        if (this.#deps.watch?.rung !== rung) continue
        const waitMs = busy ? idleMs : await this.#heldBackMs(untried)
        if (waitMs === null) return
        if (this.#resultBuffer.size === 0) await this.#wake.wait(this.#deps.clock, waitMs, signal)
        else await nextTurn()
      }
    } finally {
      await this.#finish()
    }
  }

  /** Settles what has ended, starts what is due and has a place; resolves to how long there is nothing more to do. */
  async #work(signal: AbortSignal, untried?: Set<string>): Promise<number> {
    const subscriptions = this.#deps.subscriptions()
    await this.#time.follow()
    await this.#settle()
    await this.#cooldowns.recall(this.#deps.store)
    const replaced = await this.#endpoints.follow(subscriptions)
    for (const name of replaced) {
      this.#batchDelay.shut(name, null, this.#time.now())
      this.#circuits.close(name)
    }
    this.#rateLimits.follow(subscriptions)
    const now = this.#time.now()
    await this.#circuits.recall(this.#deps.store, now)
    const leaseMs = Math.max(0, ...subscriptions.map(({ channel }) => channel.timeoutMs)) + LEASE_MARGIN_MS
    const places = this.#inFlight.open(subscriptions)
    // What commands ask for is tried at once.
    const { places: open, among } = untried === undefined ? this.#tries(places, now) : { places, among: new Map() }
    const choice = untried === undefined ? {} : { untried }
    const pick = { now, leaseMs, places: this.#rateLimits.within(open, now), among, ...choice }
    for await (const batches of this.#picker.pick(pick)) for (const batch of batches) this.#start(batch, signal)
    return await this.#idleMs(subscriptions, now)
  }

  /** Of free places, those of endpoints that have something to send and may be tried. */
  #tries(places: ReadonlyMap<string, number>, now: number): Tries {
    return this.#circuits.within(this.#batchDelay.open(places, now), (name) => this.#inFlight.taken(name), now)
  }

  /** How long, from `now`, nothing can be started unless the signal is given. */
  async #idleMs(subscriptions: readonly Subscription[], now: number): Promise<number> {
    const places = this.#inFlight.open(subscriptions)
    const { places: open } = this.#tries(places, now)
    const dueAt = await this.#deps.store.nextDueAt([...this.#rateLimits.within(open, now).keys()])
    const looks = [this.#batchDelay.nextLookAt(places.keys(), now), this.#circuits.nextAt(places.keys(), now)]
    const waits = [this.#rateLimits.nextAt(open.keys(), now), ...looks]
    const instants = [dueAt, ...waits].filter((at) => at !== null && at > now)
    return Math.min(LOOK_EVERY_MS, ...instants.map((at) => Math.max((at ?? 0) - this.#time.now(), 0)))
  }

  /** How long a rate, or a channel that gathers, holds back what is due; null: nothing, or for longer than anybody waits. */
  async #heldBackMs(untried?: ReadonlySet<string>): Promise<number | null> {
    const now = this.#time.now()
    const places = this.#inFlight.open(this.#deps.subscriptions())
    const { places: open } = this.#tries(places, now)
    const free = this.#rateLimits.within(open, now)
    const heldBack = [...open.keys()].filter((name) => !free.has(name))
    const most = new Map(heldBack.map((name) => [name, 1]))
    const due = await this.#deps.store.waiting({ now, most, ...(untried === undefined ? {} : { only: [...untried] }) })
    const freeAt = due.length === 0 ? null : this.#rateLimits.nextAt(heldBack, now)
    // What was asked for by command waits for no gathering.
    const gathered = untried === undefined ? this.#batchDelay.nextAt(places.keys(), now) : null
    const instants = [freeAt, gathered].filter((at) => at !== null)
    const next = Math.min(...instants)
    return next > now + DRAIN_PATIENCE_MS ? null : Math.max(0, next - this.#time.now())
  }

  #start(batch: Batch, signal: AbortSignal): void {
    if (!this.#inFlight.take(batch)) return
    const [{ subscription }] = batch
    this.#rateLimits.begin(subscription)
    const attempt = this.#attempt(batch, signal).finally(() => {
      this.#rateLimits.end(subscription, this.#time.now())
      this.#underWay.delete(attempt)
      this.#ringSoon()
    })
    this.#underWay.add(attempt)
  }

  /** Outcomes that come in the same turn of the event loop are settled together. */
  #ringSoon(): void {
    if (this.#ringsSoon) return
    this.#ringsSoon = true
    setImmediate(() => {
      this.#ringsSoon = false
      this.#wake.notify()
    })
  }

  async #attempt(batch: Batch, signal: AbortSignal): Promise<void> {
    const { clock, log, random, settings } = this.#deps
    const time = this.#time
    const [at, startedAt] = [clock.now(), time.now()]
    const outcome = await this.#send(batch, signal)
    const now = time.now()
    const lasted = { at, durationMs: now - startedAt, now }
    const ended = { batch, outcome, ...lasted, retryMs: settings().retryMs, random: random() }
    const cooldown = cooldownAfter(outcome, now)
    if (cooldown !== null) this.#cooldowns.begin(cooldown)
    this.#judge(ended)
    for (const [place, delivery] of batch.entries()) {
      const attemptResult = attemptResultOf({ ...ended, delivery, place })
      logAttempt(log, delivery, { attemptResult, time })
      const first = cooldown === null ? attemptResult : { ...attemptResult, cooldown }
      this.#resultBuffer.add(place === 0 ? first : { ...attemptResult, shared: true })
      this.#repeat(delivery.subscription, attemptResult)
    }
  }

  /** What says nothing of the endpoint is left out: a test, and what is refused for what it says. */
  #judge({ batch, outcome, durationMs, now: endedAt }: Omit<EndedAttempt, 'delivery' | 'place'>): void {
    const [{ subscription, event }] = batch
    if (event.cause === 'test' || outcome.kind === 'cut') return
    if (outcome.kind === 'failed' && outcome.permanent === true) return
    const concurrency = this.#deps.subscriptions().find(({ name }) => name === subscription)?.channel.concurrency ?? 1
    const delivered = outcome.kind === 'delivered'
    this.#circuits.ended(subscription, { delivered, startedAt: endedAt - durationMs, endedAt, concurrency })
  }

  #repeat(subscription: string, { result }: AttemptResult): void {
    if (result.kind === 'retry') this.#batchDelay.openAt(subscription, result.at)
  }

  /** The edge where an attempt's unexpected error ends: it fails this attempt and nothing else. */
  async #send(batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
    const [{ event, subscription }] = batch
    try {
      return (await this.#endpoints.get(subscription)?.send(batch, signal)) ?? { kind: 'cut' }
    } catch (error) {
      const reason = `Shipbell could not send event ${event.id}: ${String(error)}`
      return { kind: 'failed', status: null, answer: null, error: reason, retryAfterMs: null }
    }
  }

  async #settle(): Promise<void> {
    this.#settled(await this.#resultBuffer.flush())
  }

  #settled(attemptResults: readonly AttemptResult[]): void {
    for (const { id } of attemptResults) this.#inFlight.free(id)
    this.#deps.watch?.follow(attemptResults)
  }

  /** Waits for what is under way, which a shutdown has cut, and writes every outcome and what it means for the endpoint. */
  async #finish(): Promise<void> {
    await Promise.all(this.#underWay)
    this.#settled(await this.#resultBuffer.flushPatiently())
    await this.#deps.watch?.idle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoints[Symbol.asyncDispose]()
  }
}

/** What an outcome asks of everything that is sent to an address; null: nothing. */
function cooldownAfter(outcome: SendOutcome, now: number): Cooldown | null {
  if (outcome.kind !== 'failed' || outcome.cooldownOf === undefined || outcome.retryAfterMs === null) return null
  return { address: outcome.cooldownOf, until: now + outcome.retryAfterMs }
}
