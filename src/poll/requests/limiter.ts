import { WakeSignal } from '../../wake-signal.ts'
import type { Clock } from '../../clock.ts'
import type { LearnedCeiling } from '../../model/account-limits.ts'
import { afterRequest, CALM, isCalm, rebase, type Backoff, type RequestResult } from '../../plan/backoff.ts'
import { afterAnswer, type LoadSign } from '../../plan/ceiling.ts'
import { fairShare } from '../../plan/refresh-targets.ts'
import { KeyBudget } from '../../plan/key-budget.ts'
import { pauseAfter, resume } from '../../plan/pause.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { Restraint, Tenant } from './tenant.ts'
import { PriorityQueue, type Priority } from './priority-queue.ts'

/** Not asked: the caller's patience ends before the platform may be asked again. */
export interface Refusal {
  readonly kind: 'deferred'
  /** Why the platform has to be left alone, in one sentence. */
  readonly reason: string
}

/** Whether it is too much to wait for: so many failures in a row of this process, or so long a wait. */
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
 * their concurrency, and the back-off. Whoever waits is admitted by priority at the moment there is room. While the platform
 * fails, one request at a time probes it.
 */
export class Limiter {
  readonly #options: LimiterOptions
  readonly #tenants = new Set<Tenant>()
  /** As each last said. */
  readonly #needs = new WeakMap<Tenant, number>()
  readonly #queue = new PriorityQueue<Waiting>()
  readonly #spareWakes = new Set<WakeSignal>()
  readonly #budget: KeyBudget
  #underWay = 0
  #isProbed = false
  #alarm: { readonly at: number; readonly off: AbortController } | null = null
  #backoff: Backoff = CALM
  #ceiling: LearnedCeiling | null = null
  #resumed: Promise<void> | null = null
  #isResumed = false
  /** Failures in a row that another process has waited out. */
  #inherited = 0
  /** What the last request without success said. */
  #trouble = ''
  #saved: Promise<void> = Promise.resolve()

  constructor(options: LimiterOptions, first: Tenant) {
    this.#options = options
    this.#budget = new KeyBudget([first.budget])
    this.#tenants.add(first)
  }

  /** The first tenant goes on where the last process would. */
  join(tenant: Tenant): void {
    if (this.#tenants.size === 0) {
      this.#resumed = null
      this.#isResumed = false
    }
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
    await this.#resume()
    signal.throwIfAborted()
    const { promise, reject, resolve } = Promise.withResolvers<Admission | Refusal>()
    const waiting = { priority, losesPatience, resolve }
    const stop = (): void => {
      this.#queue.remove(waiting)
      reject(signal.reason)
      this.#pump()
    }
    this.#queue.add(priority, waiting)
    signal.addEventListener('abort', stop, { once: true })
    this.#pump()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Learns from the end of a request. It holds at once; resolves when it is written down. */
  async learn(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const { sentAt, answeredAt } = outcome.exchange
    if ('reason' in outcome) this.#trouble = outcome.reason
    const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : null
    const backoff = afterRequest(this.#backoff, { result, sentAt, answeredAt, retryAfterMs }, this.#options.random())
    const ceiling = afterAnswer(this.#ceiling, { sign: loadSign(outcome, result), sentAt, answeredAt, retryAfterMs })
    const news = {
      ...(backoff === this.#backoff ? {} : { pause: pauseAfter(backoff, result, this.#trouble) }),
      ...(ceiling === this.#ceiling ? {} : { ceiling }),
    }
    this.#backoff = backoff
    if (isCalm(backoff)) this.#inherited = 0
    this.#holdTo(ceiling)
    if (Object.keys(news).length > 0) await this.#save(news)
  }

  /** How many requests in a millisecond a tenant may send now; its refresh targets take `needed`. */
  rateFor(tenant: Tenant, needed: number): number {
    this.#needs.set(tenant, needed)
    const others = [...this.#tenants].filter((each) => each !== tenant).map((each) => this.#needs.get(each) ?? null)
    const { requests, perMs } = this.#budget.flow
    return fairShare({ needed, others, total: requests / perMs })
  }

  /** For how long a request counts against the key. */
  get longestMs(): number {
    return this.#budget.longestMs
  }

  /**
   * The first instant, from `now` on, at which a spare request fits without keeping a needed one waiting; infinity while
   * another request has to end first. It may turn out later, never earlier.
   */
  spareAt(now: number): number {
    const isFull = this.#isProbed || this.#underWay >= this.#budget.concurrency
    if (!this.#isResumed || isFull || this.#queue.first() !== null) return Number.POSITIVE_INFINITY
    return Math.max(this.#budget.spareAt(now), rebase(this.#backoff, now).notBefore)
  }

  /** Resolves when a spare request fits, or when `signal` aborts. Several may wake for the same room. */
  async spareWait(signal: AbortSignal): Promise<void> {
    await this.#resume()
    const { clock } = this.#options
    const wake = new WakeSignal()
    this.#spareWakes.add(wake)
    while (!signal.aborted) {
      const now = clock.now()
      const waitMs = this.spareAt(now) - now
      if (waitMs <= 0) break
      await wake.wait(clock, waitMs, signal)
    }
    this.#spareWakes.delete(wake)
  }

  /** Goes on where the last process left the key, before the first request. */
  async #resume(): Promise<void> {
    this.#resumed ??= this.#load().catch((error: unknown) => {
      this.#resumed = null
      throw error
    })
    await this.#resumed
  }

  async #load(): Promise<void> {
    const now = this.#options.clock.now()
    const span = { now, perMs: this.#budget.longestMs }
    const known = await Promise.all([...this.#tenants].map(async (tenant) => tenant.load(span)))
    const pauses = known.flatMap(({ pause }) => pause ?? [])
    const pause = pauses.sort((a, b) => b.decidedAt - a.decidedAt)[0]
    const ceiling = known.flatMap(({ ceiling }) => ceiling ?? []).sort((a, b) => a.fraction - b.fraction)[0]
    this.#budget.recall(known.flatMap(({ spent }) => spent).sort((a, b) => a.at - b.at))
    this.#holdTo(ceiling ?? null)
    this.#backoff = pause === undefined ? CALM : resume(pause, now)
    this.#inherited = this.#backoff.failures
    this.#trouble = pause?.reason ?? ''
    this.#isResumed = true
  }

  #followTenants(): void {
    const budgets = [...this.#tenants].map(({ budget }) => budget)
    this.#budget.follow(budgets, this.#options.clock.now())
    this.#pump()
  }

  #holdTo(ceiling: LearnedCeiling | null): void {
    this.#ceiling = ceiling
    this.#budget.limit(ceiling?.fraction ?? 1, this.#options.clock.now())
  }

  /** Written one after the other, so that the last write stays. */
  async #save(news: Partial<Restraint>): Promise<void> {
    const save = async (): Promise<void> => {
      await Promise.all([...this.#tenants].map(async (tenant) => tenant.save(news)))
    }
    const saved = this.#saved.then(save)
    this.#saved = saved.catch(() => undefined)
    await saved
  }

  /** Admits whoever there is room for. Runs whenever there may be more of it, or somebody else is first in line. */
  #pump(): void {
    let next = this.#next()
    let waitsUntil: number | null = null
    while (next !== null && waitsUntil === null) {
      waitsUntil = this.#judge(next)
      next = this.#next()
    }
    this.#setAlarm(waitsUntil)
    for (const wake of this.#spareWakes) wake.notify()
  }

  /** null: nobody waits, or there is no place. */
  #next(): Waiting | null {
    return this.#isProbed || this.#underWay >= this.#budget.concurrency ? null : this.#queue.first()
  }

  /** Admits or refuses; otherwise says until when to wait. */
  #judge(waiting: Waiting): number | null {
    const now = this.#options.clock.now()
    this.#backoff = rebase(this.#backoff, now)
    const { failures, notBefore } = this.#backoff
    const isRefused = waiting.losesPatience({ failures: failures - this.#inherited, waitMs: notBefore - now })
    // Several may have woken for the same spare room.
    const roomAt = waiting.priority === 'spare' ? this.#budget.spareAt(now) : this.#budget.readyAt(now)
    const readyAt = Math.max(roomAt, notBefore)
    if (!isRefused && readyAt > now) return readyAt
    this.#queue.remove(waiting)
    waiting.resolve(isRefused ? { kind: 'deferred', reason: `the platform fails: ${this.#trouble}` } : this.#enter(now))
    return null
  }

  /** While not calm, whoever is admitted is the probe: nobody else slips in beside it. */
  #enter(now: number): Admission {
    this.#budget.spend(now)
    this.#underWay += 1
    const isProbe = !isCalm(this.#backoff)
    this.#isProbed = isProbe
    const release = (): void => {
      this.#underWay -= 1
      if (isProbe) this.#isProbed = false
      this.#pump()
    }
    return { kind: 'admitted', at: now, release }
  }

  #setAlarm(at: number | null): void {
    if (this.#alarm?.at === at) return
    this.#alarm?.off.abort()
    this.#alarm = null
    if (at !== null) void this.#wake(at)
  }

  async #wake(at: number): Promise<void> {
    const { clock } = this.#options
    const off = new AbortController()
    this.#alarm = { at, off }
    await clock.sleep(at - clock.now(), off.signal)
    if (off.signal.aborted) return
    this.#alarm = null
    this.#pump()
  }
}

function loadSign(outcome: Outcome<unknown>, result: RequestResult): LoadSign {
  if (outcome.kind === 'throttled' || outcome.exchange.status === 503) return 'overload'
  return result === 'success' || result === 'declined' ? 'clean' : 'trouble'
}
