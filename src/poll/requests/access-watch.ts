import { WakeSignal } from '../../wake-signal.ts'
import type { Clock } from '../../clock.ts'
import { WATCHABLES, type Watchable } from '../../model/resource.ts'
import {
  afterAnswer,
  afterRefusal,
  afterSilence,
  ALLOWED,
  inDoubt,
  leftMs,
  mayAnswer,
  type Access,
  type Place,
} from '../../plan/access.ts'
import type { RequestResult } from '../../plan/backoff.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Outcome, Refused } from '../../platform/outcome.ts'
import type { HealthWatch } from './health.ts'
import type { Refusal } from './limiter.ts'

export type Ask = () => Promise<Outcome<unknown>>

export interface AccessWatchOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly health: HealthWatch
  readonly watched: readonly Watchable[]
  /** A small request for something of a resource; null: there is nothing to ask for. */
  readonly probe: (watch: Watchable) => Promise<Ask | null>
}

/** What a request says of the resource that it is of. */
export interface Asked {
  /** The place that the answer speaks of; null: none, whatever comes of it. */
  readonly place: Place | null
  /** Whether a 403 is the resource's and not just an item's. */
  readonly isWhole: boolean
  readonly turn: number
}

const PROBED_MS = 60_000

/** Ends the turn of a request that is no probe. */
const nothingToEnd = (): void => undefined

/**
 * Knows what the key of an account may not read (403). If another resource answers after a refusal, the refused one is left
 * alone by itself; where none is being asked, a small request asks one. If nothing answers, the whole account is left alone, but
 * for one request at a time that probes it. This is about 403 alone: a 401 is the key's, and its limiter backs off for all
 * accounts that ask with it.
 */
export class AccessWatch {
  readonly #options: AccessWatchOptions
  #access: Access = ALLOWED
  #loaded: Promise<void> | null = null
  #isLoaded = false
  #turns = 0
  #isProbed = false
  #isSettling = false
  readonly #wakes = new Set<WakeSignal>()
  /** Requests for lists that wait or are under way. */
  readonly #asking = new Map<Watchable, number>()
  /** Refusals in doubt (the resource's alone, or the whole account's?), with the answers that said so. */
  readonly #refused = new Map<Watchable, Refused>()

  constructor(options: AccessWatchOptions) {
    this.#options = options
  }

  /** How much longer a resource is left alone; 0 where it may be asked. */
  closedMs(watch: Watchable): number {
    return Math.max(leftMs(this.#access.resources.get(watch), this.#options.clock.now()), 0)
  }

  /** Waits while a resource is left alone, or until `signal` aborts. */
  async untilOpen(watch: Watchable, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    for (let ms = this.closedMs(watch); ms > 0 && !signal.aborted; ms = this.closedMs(watch))
      await clock.sleep(ms, signal)
  }

  /** Whether the next request for a resource is to see if it answers again. */
  /** Whether the key is refused as a whole, so that requests wait. */
  get isShut(): boolean {
    return this.#access.account !== null
  }

  isRefused(watch: Watchable): boolean {
    return this.#access.resources.has(watch)
  }

  /**
   * Waits while nothing answers, and says why where a resource is not to be asked. Resolves to what ends the request's turn.
   * Rejects with the reason of `signal` when that aborts.
   */
  async enter(
    place: Place | null,
    { patience, signal }: { readonly patience: { readonly waitMs: number }; readonly signal: AbortSignal },
  ): Promise<Refusal | (() => void)> {
    if (!this.#isLoaded) await this.#load()
    while (this.#access.account !== null) {
      const waitMs = leftMs(this.#access.account, this.#options.clock.now())
      if (waitMs <= 0 && !this.#isProbed) return this.#beginProbe()
      if (waitMs > patience.waitMs) return { kind: 'deferred', reason: 'the platform refuses the key' }
      await this.#wait(waitMs <= 0 ? PROBED_MS : waitMs, signal)
      signal.throwIfAborted()
    }
    if (place === null || this.closedMs(place.watch) === 0) return nothingToEnd
    return { kind: 'deferred', reason: `the platform refuses the key ${place.watch}` }
  }

  /** One more request for a list is wanted (1), or one has ended (-1). */
  countAsking(watch: Watchable, by: 1 | -1): void {
    this.#asking.set(watch, (this.#asking.get(watch) ?? 0) + by)
  }

  /** The next turn: greater than all before it. */
  turn(): number {
    this.#turns += 1
    return this.#turns
  }

  /** Takes note of an outcome; `result` is what it says where nothing is known of refusals. */
  async note(outcome: Outcome<unknown>, result: RequestResult, asked: Asked): Promise<RequestResult> {
    const { answeredAt } = outcome.exchange
    if (result === 'success') await this.#answered(outcome, asked)
    if (outcome.kind !== 'unauthorized' || outcome.exchange.status !== 403) return result
    const { account } = this.#access
    if (account !== null) {
      // It was under way when nothing answered, and so says nothing new.
      if (asked.turn > account.turn) this.#keepSilent(answeredAt)
      return 'refused'
    }
    if (asked.isWhole && asked.place !== null) await this.refuse(asked.place, outcome)
    return 'declined'
  }

  /** A resource was refused; `settle` says whether it is alone. */
  async refuse(place: Place, outcome: Refused): Promise<void> {
    await this.#load()
    if (this.#access.account !== null) return
    const refused = { place, at: outcome.exchange.answeredAt, turn: this.turn() }
    this.#access = afterRefusal(this.#access, refused, this.#options.random())
    if (this.#access.resources.get(place.watch)?.isJudged !== true) this.#refused.set(place.watch, outcome)
  }

  /** A list was read to its end: whatever was refused of it is over. */
  async readToEnd(watch: Watchable, exchange: Exchange): Promise<void> {
    const resources = new Map(this.#access.resources)
    resources.delete(watch)
    this.#access = { ...this.#access, resources }
    this.#refused.delete(watch)
    await this.#options.health.allow(watch, exchange)
  }

  /** Whether something is in doubt, and nobody finds it out yet. */
  get isToSettle(): boolean {
    return !this.#isSettling && inDoubt(this.#access)
  }

  /** Finds out whether what is in doubt is refused alone, or nothing answers. */
  async settle(send: (ask: Ask, place: Place) => Promise<Outcome<unknown> | Refusal>): Promise<void> {
    if (!this.isToSettle) return
    this.#isSettling = true
    try {
      await this.#settle(send)
    } finally {
      this.#isSettling = false
    }
  }

  async #settle(send: (ask: Ask, place: Place) => Promise<Outcome<unknown> | Refusal>): Promise<void> {
    const tried = new Set<Watchable>()
    const next = (): Watchable | undefined =>
      mayAnswer(this.#access, this.#options.watched).find((watch) => !tried.has(watch))
    for (let watch = next(); watch !== undefined && inDoubt(this.#access); watch = next()) {
      if ((this.#asking.get(watch) ?? 0) > 0) return
      tried.add(watch)
      const ask = await this.#options.probe(watch)
      if (ask === null) continue
      const outcome = await send(ask, { watch, skip: 0 })
      if (outcome.kind !== 'unauthorized' && inDoubt(this.#access)) return
    }
    const [last] = [...this.#refused.values()].slice(-1)
    if (!inDoubt(this.#access) || last === undefined) return
    this.#refused.clear()
    this.#keepSilent(this.#options.clock.now())
    await this.#options.health.observe(last, 'refused')
  }

  #keepSilent(at: number): void {
    this.#access = afterSilence(this.#access, { at, turn: this.turn() }, this.#options.random())
  }

  async #answered(outcome: Outcome<unknown>, { place, turn }: Asked): Promise<void> {
    const { health } = this.#options
    const { access, judged } = afterAnswer(this.#access, { place, turn })
    const wasSilent = this.#access.account !== null
    this.#access = access
    if (wasSilent && access.account === null) this.#ring()
    for (const watch of judged) {
      const refused = this.#refused.get(watch)
      this.#refused.delete(watch)
      const skip = access.resources.get(watch)?.skip ?? 0
      if (refused !== undefined) await health.refuse({ watch, skip }, refused)
    }
    if (place === null || access.resources.has(place.watch)) return
    this.#refused.delete(place.watch)
    await health.allow(place.watch, outcome.exchange)
  }

  /** Refusals of this address and key that had rung when the last process ended. They are asked for at once and do not ring again. */
  async #load(): Promise<void> {
    this.#loaded ??= this.#recall().catch((error: unknown) => {
      this.#loaded = null
      throw error
    })
    await this.#loaded
    this.#isLoaded = true
  }

  async #recall(): Promise<void> {
    const { clock, health, watched } = this.#options
    await health.keepOnly(watched)
    const resources = new Map(this.#access.resources)
    for (const watch of WATCHABLES) {
      const announced = health.announced(watch)
      if (announced === null) continue
      const refusal = { count: 0, at: clock.now(), turn: 0, waitMs: 0, skip: announced.skip, isJudged: true }
      resources.set(watch, refusal)
    }
    this.#access = { ...this.#access, resources }
  }

  #beginProbe(): () => void {
    this.#isProbed = true
    return () => {
      this.#isProbed = false
      this.#ring()
    }
  }

  #ring(): void {
    for (const wake of this.#wakes) wake.notify()
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    const wake = new WakeSignal()
    this.#wakes.add(wake)
    await wake.wait(this.#options.clock, ms, signal)
    this.#wakes.delete(wake)
  }
}
