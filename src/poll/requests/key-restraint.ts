import type { Clock } from '../../clock.ts'
import type { AccountPause, LearnedCeiling } from '../../model/account-limits.ts'
import {
  CALM,
  afterRequest,
  isCalm,
  isLongWait,
  pauseAfter,
  rebase,
  resume,
  type Backoff,
  type RequestResult,
} from '../../plan/backoff.ts'
import { afterAnswer, type LoadSign } from '../../plan/ceiling.ts'
import type { KeyBudget } from '../../plan/key-budget.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { LongWait, Restraint, Tenant } from './tenant.ts'

interface KeyRestraintDeps {
  readonly clock: Clock
  readonly random: () => number
  /** The accounts of the key, of which each keeps what is learnt. */
  readonly tenants: ReadonlySet<Tenant>
  /** Held to the ceiling that is learnt. */
  readonly budget: KeyBudget
}

/**
 * What the answers to one key have taught: how long the platform is left alone (the back-off), and how much of the budget it
 * bears (the ceiling). Its accounts keep it, so that the next process goes on where this one ends.
 */
export class KeyRestraint {
  readonly #deps: KeyRestraintDeps
  #backoff: Backoff = CALM
  #ceiling: LearnedCeiling | null = null
  /** Failures in a row that another process has waited out. */
  #inherited = 0
  /** What the last request without success said. */
  #trouble = ''
  #loading: Promise<void> | null = null
  #isLoaded = false
  #saved: Promise<void> = Promise.resolve()
  /** A wait that all accounts of the key are to be told of; null: there is none. */
  #longWait: LongWait | null = null
  /** Whether some were. */
  #isSaidToWait = false
  /** Accounts that were told of this wait. */
  readonly #told = new Set<Tenant>()

  constructor(deps: KeyRestraintDeps) {
    this.#deps = deps
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Whether there is nothing to load, and no wait to tell accounts of. */
  get isSettled(): boolean {
    return this.#isLoaded && this.#longWait === null
  }

  get isCalm(): boolean {
    return isCalm(this.#backoff)
  }

  get trouble(): string {
    return this.#trouble
  }

  /** When the platform may be asked again. */
  notBefore(now: number): number {
    return rebase(this.#backoff, now).notBefore
  }

  /** Follows a clock that was set. `failures`: in a row, of this process alone. */
  follow(now: number): { readonly failures: number; readonly notBefore: number } {
    this.#backoff = rebase(this.#backoff, now)
    const { failures, notBefore } = this.#backoff
    return { failures: failures - this.#inherited, notBefore }
  }

  /** Goes on where the last process left the key: once, but again after a failure. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null
      throw error
    })
    await this.#loading
    await this.#sayWait()
  }

  /** The next `load` asks the accounts anew. */
  forget(): void {
    this.#loading = null
    this.#isLoaded = false
  }

  /** What a request's end teaches holds at once; resolves when that is written down. */
  async learn(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const { sentAt, answeredAt } = outcome.exchange
    if ('reason' in outcome) this.#trouble = outcome.reason
    const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : null
    const backoff = afterRequest(this.#backoff, { result, sentAt, answeredAt, retryAfterMs }, this.#deps.random())
    const ceiling = afterAnswer(this.#ceiling, { sign: loadSign(outcome, result), sentAt, answeredAt, retryAfterMs })
    const news = {
      ...(backoff === this.#backoff ? {} : { pause: pauseAfter(backoff, result, this.#trouble) }),
      ...(ceiling === this.#ceiling ? {} : { ceiling }),
    }
    this.#backoff = backoff
    if (isCalm(backoff)) this.#inherited = 0
    this.#holdTo(ceiling)
    if (Object.keys(news).length > 0) await this.#save(news)
    await this.#noteWait(outcome.exchange, result)
  }

  /** Tells people when a long wait begins, and when requests go again after it. */
  async #noteWait(exchange: Exchange, result: RequestResult): Promise<void> {
    const { answeredAt: since } = exchange
    const { notBefore: until } = this.#backoff
    if (result !== 'success' && isLongWait(since, until)) {
      this.#longWait = { since, until, reason: this.#trouble, exchange }
      await this.#sayWait()
    } else if (result === 'success' && isCalm(this.#backoff) && (this.#isSaidToWait || this.#longWait !== null)) {
      this.#longWait = null
      this.#isSaidToWait = false
      this.#told.clear()
      await this.#inTurn(async (tenant) => tenant.sayWaitOver(exchange))
    }
  }

  /** An account may have joined since the wait began. */
  async #sayWait(): Promise<void> {
    const wait = this.#longWait
    if (wait === null || wait.until <= this.#deps.clock.now()) return
    const untold = [...this.#deps.tenants].filter((tenant) => !this.#told.has(tenant))
    if (untold.length === 0) return
    for (const tenant of untold) this.#told.add(tenant)
    try {
      await this.#inTurn(async (tenant) => tenant.sayWait(wait), untold)
    } catch (error) {
      for (const tenant of untold) this.#told.delete(tenant)
      throw error
    }
  }

  async #load(): Promise<void> {
    const { clock, tenants, budget } = this.#deps
    const now = clock.now()
    const span = { now, perMs: budget.longestMs }
    const known = await Promise.all([...tenants].map(async (tenant) => tenant.load(span)))
    const pauses = known.flatMap(({ pause }) => pause ?? [])
    const pause = pauses.sort((a, b) => b.decidedAt - a.decidedAt)[0]
    const ceiling = known.flatMap(({ ceiling }) => ceiling ?? []).sort((a, b) => a.fraction - b.fraction)[0]
    budget.recall(known.flatMap(({ spent }) => spent).sort((a, b) => a.at - b.at))
    this.#holdTo(ceiling ?? null)
    this.#backoff = pause === undefined ? CALM : resume(pause, now)
    this.#inherited = this.#backoff.failures
    this.#trouble = pause?.reason ?? ''
    this.#isSaidToWait = known.some(({ isSaidToWait }) => isSaidToWait)
    this.#told.clear()
    this.#longWait = pause === undefined ? null : waitOf(pause, now)
    this.#isLoaded = true
  }

  #holdTo(ceiling: LearnedCeiling | null): void {
    this.#ceiling = ceiling
    this.#deps.budget.limit(ceiling?.fraction ?? 1, this.#deps.clock.now())
  }

  /** Written one after the other, so that the last write stays. */
  async #save(news: Partial<Restraint>): Promise<void> {
    await this.#inTurn(async (tenant) => tenant.save(news))
  }

  async #inTurn(
    write: (tenant: Tenant) => Promise<void>,
    tenants: Iterable<Tenant> = this.#deps.tenants,
  ): Promise<void> {
    const before = this.#saved
    const saved = (async () => {
      await before
      await Promise.all([...tenants].map(write))
    })()
    this.#saved = saved.catch(() => undefined)
    await saved
  }
}

/** Where another process was asked to wait for long, and that is not over. */
function waitOf(pause: AccountPause, now: number): LongWait | null {
  const { decidedAt: since, isTold = false, notBefore: until, reason } = pause
  return isTold && until > now && isLongWait(since, until) ? { since, until, reason, exchange: null } : null
}

function loadSign(outcome: Outcome<unknown>, result: RequestResult): LoadSign {
  if (outcome.kind === 'throttled' || outcome.exchange.status === 503) return 'overload'
  if (outcome.kind === 'broken' || outcome.kind === 'unreachable') return 'trouble'
  return result === 'success' || result === 'declined' ? 'clean' : 'trouble'
}
