import { setImmediate as nextTurn } from 'node:timers/promises'
import { sharedTurns, type LetOthers } from '../clock.ts'
import type { AttemptResult } from '../model/attempt-result.ts'
import { WakeSignal } from '../wake-signal.ts'
import type { Batch } from './batches.ts'
import type { DelivererDeps } from './deliverer-deps.ts'
import { makeAttempt, type AttemptContext } from './make-attempt.ts'
import { MANY_SUBSCRIPTIONS, OwnRoom, withinRoom } from './own-room.ts'
import { Picker, type PickerDeps } from './picker.ts'
import { ResultBuffer } from './result-buffer.ts'
import { RoundBackoff, SteadyTime } from './steady-time.ts'
import { SubscriptionRuntimes } from './subscription-runtimes.ts'

/** Commands in other processes write rows without waking this one. */
const LOOK_EVERY_MS = 1_000
/** Attempts under way, so that some end at any time. */
const MANY = 32
/** Longer than a store takes that is a file. */
const LONG_MS = 5
const LONGEST_GATHERING_MS = 50
const LEASE_MARGIN_MS = 60_000
/** How often the deliverer makes sure that it sends what it has claimed: of a claim whose answer was lost it does not know. */
const RELEASE_EVERY_MS = 10_000
/** Nobody waits at a terminal or in a cron job for a rate that lets a few through in an hour, or for tomorrow's digest. */
const DRAIN_PATIENCE_MS = 60_000

/**
 * Sends what is due. The loop waits for nobody: it settles what has ended, starts what has a place, and sleeps until it is woken or
 * something is due. Claims and outcomes are batches, one transaction each, whatever they are of. A commit that wrote deliveries
 * wakes it at once.
 */
export interface Deliverer extends AsyncDisposable {
  /** Delivers until `signal` aborts, then cuts what is under way and writes it back. Never throws for store or network. */
  run(signal: AbortSignal): Promise<void>
  /**
   * Delivers until nothing is due now or `signal` aborts, waiting up to a minute at a time for a `rate` or for what a channel
   * gathers; with `only`, makes one attempt for each of these deliveries that is due and for no other. Throws
   * `store_unusable`, with nothing lost.
   */
  drain(signal: AbortSignal, only?: readonly string[]): Promise<void>
  /** Says that there may be work: the loop looks at once instead of within a second. */
  wake(): void
}

export function createDeliverer(deps: DelivererDeps): Deliverer {
  return new DeliveryLoop(deps)
}

class DeliveryLoop implements Deliverer {
  readonly #deps: DelivererDeps
  readonly #wake = new WakeSignal()
  readonly #time: SteadyTime
  readonly #runtimes: SubscriptionRuntimes
  readonly #resultBuffer: ResultBuffer
  readonly #parts: AttemptContext & PickerDeps & { readonly room: OwnRoom }
  readonly #picker: Picker
  readonly #backoff = new RoundBackoff()
  readonly #room: OwnRoom
  /** Says when the next attempt may begin: thousands at once would hold up the event loop. */
  readonly #nextStart: LetOthers
  /** Attempts. */
  #underWay = 0
  #allEnded: PromiseWithResolvers<void> | null = null
  #wakesSoon: NodeJS.Immediate | null = null
  /** By the monotonic clock. */
  #releaseAt = 0

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    this.#time = new SteadyTime(deps)
    this.#resultBuffer = new ResultBuffer(deps)
    const allowNetworks = () => deps.settings().allowNetworks
    this.#releaseAt = deps.clock.monotonic() + RELEASE_EVERY_MS
    this.#runtimes = new SubscriptionRuntimes({ secrets: () => [], ...deps, allowNetworks })
    this.#room = new OwnRoom(deps)
    this.#nextStart = sharedTurns(deps.clock)
    const parts = { time: this.#time, runtimes: this.#runtimes, resultBuffer: this.#resultBuffer, room: this.#room }
    this.#parts = { ...deps, ...parts }
    this.#picker = new Picker(this.#parts)
  }

  wake(): void {
    this.#wake.notify()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    while (!signal.aborted) {
      try {
        const from = clock.now()
        const idleMs = await this.#round(signal)
        await this.#gather(clock.now() - from, signal)
        await this.#wake.wait(clock, idleMs, signal)
      } catch (error) {
        if (signal.aborted) break
        await this.#wake.wait(clock, this.#failed(error), signal)
      }
    }
    this.#deps.progress?.done()
    await this.#finish()
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { clock, progress } = this.#deps
    progress?.begun(clock.monotonic())
    const idleMs = await this.#work(signal)
    progress?.done()
    this.#backoff.succeeded()
    return idleMs
  }

  /** Returns how long nothing is tried, unless the loop is woken. */
  #failed(error: unknown): number {
    const { clock, log, progress } = this.#deps
    const now = clock.monotonic()
    this.#releaseAt = 0
    progress?.failed(now, String(error))
    const { isFirst, waitMs } = this.#backoff.failed(now)
    if (isFirst) log.error({ error: String(error), next: 'retry', retry_in_ms: waitMs }, 'delivery.stalled')
    return waitMs
  }

  /** Waits as long as a slow store took before, while there is enough under way: what ends meanwhile is settled together. */
  async #gather(tookMs: number, signal: AbortSignal): Promise<void> {
    if (this.#underWay < MANY || tookMs < LONG_MS) return
    await this.#deps.clock.sleep(Math.min(tookMs, LONGEST_GATHERING_MS), signal)
  }

  async drain(signal: AbortSignal, only?: readonly string[]): Promise<void> {
    const untried = only === undefined ? undefined : new Set(only)
    try {
      while (!signal.aborted) {
        const rung = this.#deps.watch?.rung
        const idleMs = await this.#work(signal, untried)
        const busy = this.#underWay > 0 || this.#resultBuffer.size > 0
        if (!busy) await this.#deps.watch?.idle()
        if (this.#deps.watch?.rung !== rung) continue
        const waitMs = busy || this.#room.pauseMs > 0 ? idleMs : await this.#heldBackMs(untried)
        if (waitMs === null) break
        if (this.#resultBuffer.size === 0) await this.#wake.wait(this.#deps.clock, waitMs, signal)
        else await nextTurn()
      }
      if (untried !== undefined && !signal.aborted) await this.#putOffOthers()
    } finally {
      await this.#finish()
    }
  }

  /** Settles what has ended, starts what is due and has a place; resolves to how long there is nothing more to do. */
  async #work(signal: AbortSignal, untried?: Set<string>): Promise<number> {
    await this.#time.follow()
    await this.#settle()
    await this.#letOthers()
    await this.#follow()
    await this.#release()
    await this.#letOthers()
    this.#room.look()
    if (this.#room.pauseMs > 0) return this.#room.pauseMs
    const now = this.#time.now()
    const available = this.#runtimes.available(now, untried !== undefined)
    const amount = untried === undefined ? this.#part() : { untried }
    const pick = { now, leaseMs: this.#leaseMs(), available, ...amount }
    await this.#letOthers()
    for (const some of withinRoom(pick, this.#parts, () => this.#underWay)) {
      await this.#letOthers()
      for await (const batches of this.#picker.pick(some)) await this.#startAll(batches, signal)
      await this.#letOthers()
    }
    return await this.#idleMs(now)
  }

  /** What looks at every subscription holds up the event loop for long where they are thousands. */
  async #letOthers(): Promise<void> {
    if (this.#deps.subscriptions().length > MANY_SUBSCRIPTIONS) await nextTurn()
  }

  /** A claim whose answer was lost may be made long after that: whoever held its rows let it wait. */
  async #release(): Promise<void> {
    const { clock, owner, store } = this.#deps
    if (clock.monotonic() < this.#releaseAt) return
    const sent = [...this.#runtimes.inHand, ...this.#resultBuffer.ids]
    const released = await store.releaseClaims(owner(), sent)
    this.#releaseAt = clock.monotonic() + RELEASE_EVERY_MS
    if (released > 0) this.#deps.log.info({ count: released, next: 'claimed anew' }, 'delivery.released')
  }

  /** To open a store makes rows due that wait for an hour: whoever sends only some of them leaves the others waiting. */
  async #putOffOthers(): Promise<void> {
    const now = this.#time.now()
    const pick = { now, leaseMs: this.#leaseMs(), available: this.#runtimes.available(now, false) }
    while ((await this.#picker.putOff(pick)) > 0) await this.#settle()
  }

  /** Settles what has come so far, a part after the other. */
  async #settle(): Promise<void> {
    let left = this.#resultBuffer.size
    for (;;) {
      const part = await this.#resultBuffer.flush()
      this.#settled(part)
      left -= part.length
      if (left <= 0) return
      await nextTurn()
    }
  }

  #settled(attemptResults: readonly AttemptResult[]): void {
    for (const { id } of attemptResults) this.#runtimes.settled(id)
    this.#deps.watch?.follow(attemptResults)
    if (attemptResults.length > 0) this.#deps.onSettled?.(attemptResults.map(({ id }) => id))
  }

  /** The configuration as it is now, and what other processes did. */
  async #follow(): Promise<void> {
    await this.#runtimes.configure(this.#deps.subscriptions())
    await this.#runtimes.follow(this.#deps.store, this.#time.now())
  }

  /** A process that is busy with as many attempts as it has places leaves none to those that are not. */
  #part(): { readonly most?: number } {
    const processes = this.#deps.processes?.() ?? 1
    if (processes === 1) return {}
    const places = this.#deps.subscriptions().reduce((sum, { channel }) => sum + channel.concurrency, 0)
    return { most: Math.max(1, Math.ceil(places / processes) - this.#underWay) }
  }

  #leaseMs(): number {
    return Math.max(0, ...this.#deps.subscriptions().map(({ channel }) => channel.timeoutMs)) + LEASE_MARGIN_MS
  }

  async #startAll(batches: readonly Batch[], signal: AbortSignal): Promise<void> {
    for (const batch of batches) {
      const others = this.#nextStart()
      if (others !== null) await others
      void this.#start(batch, signal)
    }
  }

  async #start(batch: Batch, signal: AbortSignal): Promise<void> {
    this.#underWay += 1
    try {
      await makeAttempt(batch, this.#parts, signal)
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#allEnded?.resolve()
      this.#wakeSoon()
    }
  }

  /** Outcomes that come in the same turn of the event loop are settled together, behind what their connections do in it. */
  #wakeSoon(): void {
    if (this.#wakesSoon !== null) clearImmediate(this.#wakesSoon)
    this.#wakesSoon = setImmediate(() => {
      this.#wakesSoon = null
      if (!this.#backoff.isPause(this.#deps.clock.monotonic())) this.#wake.notify()
    })
  }

  /** How long, from `now`, nothing can be started unless somebody wakes the loop. */
  async #idleMs(now: number): Promise<number> {
    const available = [...this.#runtimes.available(now, false)]
    const open = available.filter(([, { places }]) => places > 0).map(([name]) => name)
    const instants = available.map(([, { waits }]) => waits?.lookAt ?? null)
    for (let at = 0; at < open.length; at += MANY_SUBSCRIPTIONS) {
      if (at > 0) await nextTurn()
      instants.push(await this.#deps.store.nextDueAt(open.slice(at, at + MANY_SUBSCRIPTIONS)))
    }
    const ahead = instants.filter((at) => at !== null && at > now).map((at) => (at ?? now) - this.#time.now())
    return Math.max(0, Math.min(LOOK_EVERY_MS, ...ahead))
  }

  /** How long a rate, or a channel that gathers, holds back what is due; null: nothing is held back, or for longer than anybody waits. */
  async #heldBackMs(untried?: ReadonlySet<string>): Promise<number | null> {
    const now = this.#time.now()
    const available = [...this.#runtimes.available(now, untried !== undefined)]
    const waits = available.flatMap(([name, each]) => (each.waits === undefined ? [] : { name, ...each.waits }))
    const most = new Map(waits.filter((each) => each.for === 'rate').map(({ name }) => [name, 1]))
    const due = await this.#deps.store.waiting({ now, most, ...(untried === undefined ? {} : { only: [...untried] }) })
    const holding = waits.filter((each) => each.for === 'gathering' || (each.for === 'rate' && due.length > 0))
    const next = Math.min(...holding.map(({ until }) => until))
    return next > now + DRAIN_PATIENCE_MS ? null : Math.max(0, next - this.#time.now())
  }

  /** Waits for what is under way, which a shutdown has cut, and writes every outcome and what it means for the endpoint. */
  async #finish(): Promise<void> {
    if (this.#underWay > 0) {
      this.#allEnded = Promise.withResolvers()
      await this.#allEnded.promise
    }
    for await (const part of this.#resultBuffer.flushPatiently()) this.#settled(part)
    await this.#deps.watch?.idle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtimes[Symbol.asyncDispose]()
  }
}
