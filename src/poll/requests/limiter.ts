import type { Clock } from '../../clock.ts'
import type { RequestResult } from '../../plan/backoff.ts'
import { KeyBudget } from '../../plan/key-budget.ts'
import { fairShare } from '../../plan/refresh-targets.ts'
import type { Outcome } from '../../platform/outcome.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { KeyRestraint } from './key-restraint.ts'
import { PriorityQueue, type Priority } from './priority-queue.ts'
import type { Tenant } from './tenant.ts'

/** A request was not made: the caller's patience ends before the platform may be asked again. */
export interface Refusal {
  readonly kind: 'deferred'
  /** Why the platform has to be left alone, in one sentence. */
  readonly reason: string
}

/** Whether trouble is too much to wait for: so many failures in a row of this process, or so long a wait. */
export type LosesPatience = (trouble: { readonly failures: number; readonly waitMs: number }) => boolean

interface Admission {
  readonly kind: 'admitted'
  readonly at: number
  readonly release: () => void
}

interface Waiting {
  readonly priority: Priority
  readonly losesPatience: LosesPatience
  readonly resolve: (decision: Admission | Refusal) => void
}

export interface LimiterOptions {
  readonly clock: Clock
  readonly random: () => number
}

/**
 * All that is asked for with one key goes through here: the budgets of its accounts and the ceiling that was learned of them,
 * their concurrency, and the back-off. Whoever waits is admitted by `PriorityQueue` at the moment there is room. While the platform
 * fails, one request at a time probes it.
 */
export class Limiter {
  readonly #clock: Clock
  readonly #tenants = new Set<Tenant>()
  /** What each tenant last said that it needs. */
  readonly #needs = new WeakMap<Tenant, number>()
  readonly #queue = new PriorityQueue<Waiting>()
  /** Who waits for a spare request, each until an instant: there is no room before. */
  readonly #spareWaits = new Map<WakeSignal, number>()
  readonly #budget: KeyBudget
  readonly #restraint: KeyRestraint
  readonly #alarm: Alarm
  #underWay = 0
  #isProbed = false

  constructor({ clock, random }: LimiterOptions, first: Tenant) {
    this.#clock = clock
    this.#budget = new KeyBudget([first.budget])
    this.#restraint = new KeyRestraint({ clock, random, tenants: this.#tenants, budget: this.#budget })
    this.#alarm = new Alarm(clock, () => this.#pump())
    this.#tenants.add(first)
  }

  /** The first tenant goes on where the last process would. */
  join(tenant: Tenant): void {
    if (this.#tenants.size === 0) this.#restraint.forget()
    this.#tenants.add(tenant)
    this.#followTenants()
  }

  leave(tenant: Tenant): void {
    this.#tenants.delete(tenant)
    if (this.#tenants.size > 0) this.#followTenants()
  }

  /** Waits for its turn. Rejects with the reason of `signal` when that aborts. */
  async admit(request: {
    readonly priority: Priority
    readonly losesPatience: LosesPatience
    readonly signal: AbortSignal
  }): Promise<Admission | Refusal> {
    const { losesPatience, signal, priority } = request
    if (!this.#restraint.isSettled) await this.#restraint.load()
    signal.throwIfAborted()
    const { promise, reject, resolve } = Promise.withResolvers<Admission | Refusal>()
    let isDecided = false
    const decide = (decision: Admission | Refusal): void => {
      isDecided = true
      resolve(decision)
    }
    const waiting = { priority, losesPatience, resolve: decide }
    this.#queue.add(priority, waiting)
    this.#pump()
    // Most are admitted at once: to listen to a signal costs more than all of that.
    if (isDecided) return promise
    const stop = (): void => {
      this.#queue.remove(waiting)
      reject(signal.reason)
      this.#pump()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Learns from the end of a request. It holds at once; resolves when it is written down. */
  learn(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    return this.#restraint.learn(outcome, result)
  }

  /** How many requests in a millisecond a tenant may send now; its refresh targets take `needed`. */
  rateFor(tenant: Tenant, needed: number): number {
    this.#needs.set(tenant, needed)
    const others = [...this.#tenants].filter((each) => each !== tenant).map((each) => this.#needs.get(each) ?? null)
    const { requests, perMs } = this.#budget.flow
    return fairShare({ needed, others, total: requests / perMs })
  }

  /** How many requests in a millisecond each tenant may send where all send as many. */
  get evenRate(): number {
    const { requests, perMs } = this.#budget.flow
    return requests / perMs / Math.max(1, this.#tenants.size)
  }

  /** Whether a request that is wanted now would be sent at once. */
  get isFree(): boolean {
    if (!this.#restraint.isSettled || this.#queue.first() !== null) return false
    if (this.#isProbed || this.#underWay >= this.#budget.concurrency) return false
    const now = this.#clock.now()
    return Math.max(this.#budget.readyAt(now), this.#restraint.notBefore(now)) <= now
  }

  /** Whether nothing has failed since the last success. */
  get isCalm(): boolean {
    return this.#restraint.isCalm
  }

  /** For how long a request counts against the key. */
  get longestMs(): number {
    return this.#budget.longestMs
  }

  /** How many requests the budgets of the key's accounts let go now, all together. */
  get budgetLeft(): number {
    return this.#budget.free(this.#clock.now())
  }

  /**
   * The first instant, from `now` on, at which a spare request fits without keeping a needed one waiting; infinity while
   * another request has to end first. It may turn out later, never earlier.
   */
  spareAt(now: number): number {
    const isFull = this.#isProbed || this.#underWay >= this.#budget.concurrency
    if (!this.#restraint.isLoaded || isFull || this.#queue.first() !== null) return Number.POSITIVE_INFINITY
    return Math.max(this.#budget.spareAt(now), this.#restraint.notBefore(now))
  }

  /** Resolves when a spare request fits, or when `signal` aborts. Several may wake for the same room. */
  async spareWait(signal: AbortSignal): Promise<void> {
    await this.#restraint.load()
    const wake = new WakeSignal()
    while (!signal.aborted) {
      const now = this.#clock.now()
      const at = this.spareAt(now)
      if (at <= now) break
      this.#spareWaits.set(wake, at)
      await wake.wait(this.#clock, at - now, signal)
    }
    this.#spareWaits.delete(wake)
  }

  #followTenants(): void {
    const budgets = [...this.#tenants].map(({ budget }) => budget)
    this.#budget.follow(budgets, this.#clock.now())
    this.#pump()
  }

  /** Admits whoever there is room for. Runs whenever there may be more of it, or somebody else is first in line. */
  #pump(): void {
    let next = this.#next()
    let waitsUntil: number | null = null
    while (next !== null && waitsUntil === null) {
      waitsUntil = this.#judge(next)
      next = this.#next()
    }
    this.#alarm.set(waitsUntil)
    this.#wakeSpare()
  }

  /** Wakes those for whom there is room, or may be sooner than they wait for it. */
  #wakeSpare(): void {
    if (this.#spareWaits.size === 0) return
    const now = this.#clock.now()
    const spareAt = this.spareAt(now)
    for (const [wake, at] of this.#spareWaits) if (spareAt <= now || spareAt < at) wake.notify()
  }

  /** Who goes next; null: nobody waits, or there is no place. */
  #next(): Waiting | null {
    return this.#isProbed || this.#underWay >= this.#budget.concurrency ? null : this.#queue.first()
  }

  /** Admits or refuses; otherwise says until when to wait. */
  #judge(waiting: Waiting): number | null {
    const now = this.#clock.now()
    const { failures, notBefore } = this.#restraint.follow(now)
    const isRefused = waiting.losesPatience({ failures, waitMs: notBefore - now })
    // Several may have woken for the same spare room.
    const roomAt = waiting.priority === 'spare' ? this.#budget.spareAt(now) : this.#budget.readyAt(now)
    const readyAt = Math.max(roomAt, notBefore)
    if (!isRefused && readyAt > now) return readyAt
    if (isRefused) {
      this.#queue.remove(waiting)
      waiting.resolve({ kind: 'deferred', reason: `the platform fails: ${this.#restraint.trouble}` })
      return null
    }
    this.#queue.take(waiting.priority, waiting)
    waiting.resolve(this.#enter(now))
    return null
  }

  /** While not calm, whoever is admitted is the probe: nobody else slips in beside it. */
  #enter(now: number): Admission {
    this.#budget.spend(now)
    this.#underWay += 1
    const isProbe = !this.#restraint.isCalm
    this.#isProbed = isProbe
    const release = (): void => {
      this.#underWay -= 1
      if (isProbe) this.#isProbed = false
      this.#pump()
    }
    return { kind: 'admitted', at: now, release }
  }
}

/** Calls once the instant has come that was set last. */
class Alarm {
  readonly #clock: Clock
  readonly #call: () => void
  #set: { readonly at: number; readonly off: AbortController } | null = null

  constructor(clock: Clock, call: () => void) {
    this.#clock = clock
    this.#call = call
  }

  /** Sets when to look again; null: never. */
  set(at: number | null): void {
    if (this.#set?.at === at) return
    this.#set?.off.abort()
    this.#set = null
    if (at !== null) void this.#wait(at)
  }

  async #wait(at: number): Promise<void> {
    const off = new AbortController()
    this.#set = { at, off }
    await this.#clock.sleep(at - this.#clock.now(), off.signal)
    if (off.signal.aborted) return
    this.#set = null
    this.#call()
  }
}
