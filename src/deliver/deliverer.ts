import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Subscription } from '../model/subscription.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { DeliveryStore, Settlement } from '../store/ports.ts'
import type { Rest } from '../store/rest-port.ts'
import { logAttempt } from './attempt-line.ts'
import { Bell } from '../bell.ts'
import type { SendOutcome } from './channels/channel.ts'
import { Circuits, type Tries } from './circuits.ts'
import type { EndpointWatch } from './endpoint-watch.ts'
import { Endpoints } from './endpoints.ts'
import { Gates } from './gates.ts'
import { Outbox } from './outbox.ts'
import { Pace } from './pace.ts'
import type { Parcel } from './parcels.ts'
import { Picker } from './picker.ts'
import { Rests } from './rests.ts'
import { settlementOf, type EndedAttempt } from './settlement.ts'
import { Slots } from './slots.ts'
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
  readonly #bell = new Bell()
  readonly #time: SteadyTime
  readonly #slots = new Slots()
  readonly #pace = new Pace()
  readonly #gates = new Gates()
  readonly #circuits = new Circuits()
  readonly #outbox: Outbox
  readonly #rests = new Rests()
  readonly #picker: Picker
  readonly #underWay = new Set<Promise<void>>()
  #ringsSoon = false

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    this.#time = new SteadyTime(deps)
    this.#outbox = new Outbox(deps)
    this.#endpoints = new Endpoints({ secrets: () => [], ...deps, allowNetworks: () => deps.settings().allowNetworks })
    this.#picker = new Picker({
      ...deps,
      time: this.#time,
      endpoints: this.#endpoints,
      gates: this.#gates,
      slots: this.#slots,
      rests: this.#rests,
      outbox: this.#outbox,
    })
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
        const busy = this.#underWay.size > 0 || this.#outbox.size > 0
        if (!busy) await this.#deps.watch?.idle()
        if (this.#deps.watch?.rung !== rung) continue
        const waitMs = busy ? idleMs : await this.#heldBackMs(untried)
        if (waitMs === null) return
        if (this.#outbox.size === 0) await this.#bell.wait(this.#deps.clock, waitMs, signal)
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
    await this.#rests.recall(this.#deps.store)
    const replaced = await this.#endpoints.follow(subscriptions)
    for (const name of replaced) {
      this.#gates.shut(name, null, this.#time.now())
      this.#circuits.close(name)
    }
    this.#pace.follow(subscriptions)
    const now = this.#time.now()
    await this.#circuits.recall(this.#deps.store, now)
    const leaseMs = Math.max(0, ...subscriptions.map(({ channel }) => channel.timeoutMs)) + LEASE_MARGIN_MS
    const places = this.#slots.open(subscriptions)
    // What commands ask for is tried at once.
    const { places: open, among } = untried === undefined ? this.#tries(places, now) : { places, among: new Map() }
    const choice = untried === undefined ? {} : { untried }
    const pick = { now, leaseMs, places: this.#pace.within(open, now), among, ...choice }
    for await (const parcels of this.#picker.pick(pick)) for (const parcel of parcels) this.#start(parcel, signal)
    return await this.#idleMs(subscriptions, now)
  }

  /** Of free places, those of endpoints that have something to send and may be tried. */
  #tries(places: ReadonlyMap<string, number>, now: number): Tries {
    return this.#circuits.within(this.#gates.open(places, now), (name) => this.#slots.taken(name), now)
  }

  /** How long, from `now`, nothing can be started unless the bell rings. */
  async #idleMs(subscriptions: readonly Subscription[], now: number): Promise<number> {
    const places = this.#slots.open(subscriptions)
    const { places: open } = this.#tries(places, now)
    const dueAt = await this.#deps.store.nextDueAt([...this.#pace.within(open, now).keys()])
    const looks = [this.#gates.nextLookAt(places.keys(), now), this.#circuits.nextAt(places.keys(), now)]
    const waits = [this.#pace.nextAt(open.keys(), now), ...looks]
    const instants = [dueAt, ...waits].filter((at) => at !== null && at > now)
    return Math.min(LOOK_EVERY_MS, ...instants.map((at) => Math.max((at ?? 0) - this.#time.now(), 0)))
  }

  /** How long a rate, or a channel that gathers, holds back what is due; null: nothing, or for longer than anybody waits. */
  async #heldBackMs(untried?: ReadonlySet<string>): Promise<number | null> {
    const now = this.#time.now()
    const places = this.#slots.open(this.#deps.subscriptions())
    const { places: open } = this.#tries(places, now)
    const free = this.#pace.within(open, now)
    const heldBack = [...open.keys()].filter((name) => !free.has(name))
    const most = new Map(heldBack.map((name) => [name, 1]))
    const due = await this.#deps.store.waiting({ now, most, ...(untried === undefined ? {} : { only: [...untried] }) })
    const freeAt = due.length === 0 ? null : this.#pace.nextAt(heldBack, now)
    // What was asked for by command waits for no gathering.
    const gathered = untried === undefined ? this.#gates.nextAt(places.keys(), now) : null
    const instants = [freeAt, gathered].filter((at) => at !== null)
    const next = Math.min(...instants)
    return next > now + DRAIN_PATIENCE_MS ? null : Math.max(0, next - this.#time.now())
  }

  #start(parcel: Parcel, signal: AbortSignal): void {
    if (!this.#slots.take(parcel)) return
    const [{ subscription }] = parcel
    this.#pace.begin(subscription)
    const attempt = this.#attempt(parcel, signal).finally(() => {
      this.#pace.end(subscription, this.#time.now())
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
      this.#bell.ring()
    })
  }

  async #attempt(parcel: Parcel, signal: AbortSignal): Promise<void> {
    const { clock, log, random, settings } = this.#deps
    const time = this.#time
    const [at, startedAt] = [clock.now(), time.now()]
    const outcome = await this.#send(parcel, signal)
    const now = time.now()
    const lasted = { at, durationMs: now - startedAt, now }
    const ended = { parcel, outcome, ...lasted, retryMs: settings().retryMs, random: random() }
    const rest = restOf(outcome, now)
    if (rest !== null) this.#rests.begin(rest)
    this.#judge(ended)
    for (const [place, delivery] of parcel.entries()) {
      const settlement = settlementOf({ ...ended, delivery, place })
      logAttempt(log, delivery, { settlement, time })
      const told = rest === null ? settlement : { ...settlement, rest }
      this.#outbox.add(place === 0 ? told : { ...settlement, shared: true })
      this.#repeat(delivery.subscription, settlement)
    }
  }

  /** What says nothing of the endpoint is left out: a test, and what is refused for what it says. */
  #judge({ parcel, outcome, durationMs, now: endedAt }: Omit<EndedAttempt, 'delivery' | 'place'>): void {
    const [{ subscription, event }] = parcel
    if (event.cause === 'test' || outcome.kind === 'cut') return
    if (outcome.kind === 'failed' && outcome.permanent === true) return
    const concurrency = this.#deps.subscriptions().find(({ name }) => name === subscription)?.channel.concurrency ?? 1
    const delivered = outcome.kind === 'delivered'
    this.#circuits.ended(subscription, { delivered, startedAt: endedAt - durationMs, endedAt, concurrency })
  }

  #repeat(subscription: string, { result }: Settlement): void {
    if (result.kind === 'retry') this.#gates.openAt(subscription, result.at)
  }

  /** The edge where an attempt's unexpected error ends: it fails this attempt and nothing else. */
  async #send(parcel: Parcel, signal: AbortSignal): Promise<SendOutcome> {
    const [{ event, subscription }] = parcel
    try {
      return (await this.#endpoints.get(subscription)?.send(parcel, signal)) ?? { kind: 'cut' }
    } catch (error) {
      const reason = `Shipbell could not send event ${event.id}: ${String(error)}`
      return { kind: 'failed', status: null, answer: null, error: reason, retryAfterMs: null }
    }
  }

  async #settle(): Promise<void> {
    this.#settled(await this.#outbox.flush())
  }

  #settled(settlements: readonly Settlement[]): void {
    for (const { id } of settlements) this.#slots.free(id)
    this.#deps.watch?.follow(settlements)
  }

  /** Waits for what is under way, which a shutdown has cut, and writes every outcome and what it means for the endpoint. */
  async #finish(): Promise<void> {
    await Promise.all(this.#underWay)
    this.#settled(await this.#outbox.flushPatiently())
    await this.#deps.watch?.idle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoints[Symbol.asyncDispose]()
  }
}

/** What an outcome asks of everything that is sent to an address; null: nothing. */
function restOf(outcome: SendOutcome, now: number): Rest | null {
  if (outcome.kind !== 'failed' || outcome.rests === undefined || outcome.retryAfterMs === null) return null
  return { address: outcome.rests, until: now + outcome.retryAfterMs }
}
