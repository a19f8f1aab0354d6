import type { Clock } from '../../clock.ts'
import type { LearnedCeiling } from '../../model/account-limits.ts'
import { afterRequest, CALM, isCalm, rebase, type Backoff, type RequestResult } from '../../plan/backoff.ts'
import { afterAnswer, type LoadSign } from '../../plan/ceiling.ts'
import type { KeyBudget } from '../../plan/key-budget.ts'
import { pauseAfter, resume } from '../../plan/pause.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { Restraint, Tenant } from './tenant.ts'

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

  constructor(deps: KeyRestraintDeps) {
    this.#deps = deps
  }

  get isLoaded(): boolean {
    return this.#isLoaded
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
    this.#isLoaded = true
  }

  #holdTo(ceiling: LearnedCeiling | null): void {
    this.#ceiling = ceiling
    this.#deps.budget.limit(ceiling?.fraction ?? 1, this.#deps.clock.now())
  }

  /** Written one after the other, so that the last write stays. */
  async #save(news: Partial<Restraint>): Promise<void> {
    const save = async (): Promise<void> => {
      await Promise.all([...this.#deps.tenants].map(async (tenant) => tenant.save(news)))
    }
    const saved = this.#saved.then(save)
    this.#saved = saved.catch(() => undefined)
    await saved
  }
}

function loadSign(outcome: Outcome<unknown>, result: RequestResult): LoadSign {
  if (outcome.kind === 'throttled' || outcome.exchange.status === 503) return 'overload'
  if (outcome.kind === 'broken' || outcome.kind === 'unreachable') return 'trouble'
  return result === 'success' || result === 'declined' ? 'clean' : 'trouble'
}
