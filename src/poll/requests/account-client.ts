import type { Exchange } from '../../model/exchange.ts'
import type { Watchable } from '../../model/resource.ts'
import type { RequestResult } from '../../plan/backoff.ts'
import type { Place } from '../../plan/access.ts'
import type { Outcome, Refused } from '../../platform/outcome.ts'
import type { AccessWatch, Asked } from './access-watch.ts'
import { resultOf, type Blamed, type Failure } from './health.ts'
import type { Limiter, Refusal } from './limiter.ts'
import { OutageWatch, type OutageWatchOptions, type Settling } from './outage-watch.ts'
import { isFailure, readResult, type ReadResult } from './read-result.ts'
import type { Rider, Tenant } from './tenant.ts'
import type { Priority } from './priority-queue.ts'

const MOST_TRIES = 3

/** How much trouble a request waits out before it is `deferred`; a daemon waits out everything. */
export interface Patience {
  /** Failed requests in a row, of this process. */
  readonly failures: number
  /** The longest wait, for a `Retry-After` above all. */
  readonly waitMs: number
}

export const ENDLESS_PATIENCE: Patience = { failures: Number.POSITIVE_INFINITY, waitMs: Number.POSITIVE_INFINITY }

/** An account at the limiter of its key. */
export interface Tenancy {
  readonly limiter: Limiter
  readonly tenant: Tenant
}

export interface AccountClientOptions extends Tenancy {
  readonly patience: Patience
  /** What the key may not read; left out: nothing is known of it. */
  readonly access?: AccessWatch
  /** Called with every outcome, one at a time, before the next request is admitted in its place. */
  readonly observe: (outcome: Outcome<unknown>, result: RequestResult) => Promise<void>
  /** What tells an account that fails from a list; left out: there is nothing else to ask for. */
  readonly outage?: OutageWatchOptions
  /** Called with failures that counted as items' own and are the account's, one after the other. */
  readonly charged?: (failures: readonly Failure[]) => Promise<void>
}

export interface RequestOptions extends Blamed {
  /** The place that the request reads; left out: it only proves something, and a refusal says nothing of the resource. */
  readonly place?: Place
  readonly signal: AbortSignal
  /** How urgent the request is; left out: `due`. */
  readonly priority?: Priority
  /** Failed requests until `ask` gives up for now; left out: three for a page of a list, one for an item. */
  readonly tries?: number | undefined
  /** What is written with the count of the request, or before where the request has to wait. Left out: nothing. */
  readonly rider?: PendingRider | null | undefined
}

/** A rider that another request may have taken along already. */
export interface PendingRider extends Rider {
  readonly isPending: boolean
}

/** `isUnconfirmed`: whether a failure is the page's own until something of its list answers. */
interface Reported extends Asked {
  readonly isUnconfirmed: boolean
}

interface Observed {
  readonly outcome: Outcome<unknown>
  readonly result: RequestResult
  readonly asked: Reported
}

/** The one way to the platform for an account: every request goes through the limiter of its key. */
export class AccountClient {
  readonly #options: AccountClientOptions
  readonly #outage: OutageWatch
  #observed: Promise<void> = Promise.resolve()

  constructor(options: AccountClientOptions) {
    this.#options = options
    this.#outage = new OutageWatch(options.outage ?? null)
  }

  /** See `OutageWatch.answeredAt`. */
  get answeredAt(): number {
    return this.#outage.answeredAt
  }

  async request<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    const outcome = await this.#enter(ask, options)
    if (this.#options.access?.isToSettle === true) await this.#settle(options.signal)
    return outcome
  }

  /**
   * Asks until there is an answer to work with: three times for a page of a list, once for an item, whose turn comes again.
   * Being throttled is no failure: it only takes longer.
   */
  async ask<T>(request: () => Promise<Outcome<T>>, options: RequestOptions): Promise<ReadResult<T>> {
    const most = options.tries ?? (options.of === 'list' ? MOST_TRIES : 1)
    for (let failures = 0; ;) {
      const outcome = await this.request(request, options)
      if (outcome.kind === 'throttled') continue
      if (isFailure(outcome)) failures += 1
      if (!isFailure(outcome) || failures >= most) return readResult(outcome)
    }
  }

  /** How much longer a resource is left alone because the key was refused it; 0 where it may be asked. */
  closedMs(watch: Watchable): number {
    return this.#options.access?.closedMs(watch) ?? 0
  }

  /** Waits while a resource is left alone, or until `signal` aborts. */
  async untilOpen(watch: Watchable, signal: AbortSignal): Promise<void> {
    await this.#options.access?.untilOpen(watch, signal)
  }

  /** Whether the key was refused a resource, so that the next request is to see if it answers again. */
  isRefused(watch: Watchable): boolean {
    return this.#options.access?.isRefused(watch) ?? false
  }

  async #settle(signal: AbortSignal): Promise<void> {
    const how = { of: 'list', signal, priority: 'verification' } as const
    await this.#options.access?.settle(async (probe, place) => this.#enter(probe, { ...how, place }))
  }

  async #enter<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    const { access, patience } = this.#options
    if (access === undefined) return this.#send(ask, options)
    const { of, place = null, rider = null, signal, priority } = options
    if (rider?.isPending === true && access.isShut) await rider.write([])
    const leave = await access.enter(place, { patience, signal })
    if (typeof leave !== 'function') return leave
    const awaited = of === 'list' && priority !== 'spare' ? (place?.watch ?? null) : null
    if (awaited !== null) access.countAsking(awaited, 1)
    try {
      return await this.#send(ask, options)
    } finally {
      if (awaited !== null) access.countAsking(awaited, -1)
      leave()
    }
  }

  async #send<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    const { access, limiter, patience, tenant } = this.#options
    const { blame = 'unknown', of, place = null, rider = null, signal, priority = 'due' } = options
    if (rider?.isPending === true && !limiter.isFree) await rider.write([])
    const admission = await limiter.admit({
      priority,
      signal,
      losesPatience: ({ failures, waitMs }) => failures >= patience.failures || waitMs > patience.waitMs,
    })
    if (admission.kind === 'deferred') return admission
    try {
      const counted = { at: admission.at, countForMs: limiter.longestMs }
      await tenant.count(counted, rider?.isPending === true ? rider : null)
      const asked = { place, isWhole: of === 'list', turn: access?.turn() ?? 0 }
      const { isCalm } = limiter
      const outcome = await ask()
      const result = resultOf(outcome, { of, blame, isCalm })
      await this.#report(outcome, result, { ...asked, isUnconfirmed: blame === 'page' && result === 'failure' })
      return outcome
    } finally {
      admission.release()
    }
  }

  /** Whether nothing has failed since the last success, so far as failures count. */
  get isCalm(): boolean {
    return this.#options.limiter.isCalm
  }

  /** Failures that counted as items' own are the account's: none of their resource answers. */
  async charge(failures: readonly Failure[]): Promise<void> {
    const { limiter } = this.#options
    const last = failures.at(-1)
    if (last === undefined) return
    await limiter.learn({ kind: 'broken', retryAfterMs: null, ...last }, 'failure')
    await this.#charge(failures)
  }

  /** See `OutageWatch.hurry`. */
  async hurry(watch: Watchable, elsewhere: () => Promise<boolean>, signal: AbortSignal): Promise<boolean | null> {
    return this.#outage.hurry(watch, elsewhere, this.#settling(signal))
  }

  /** See `OutageWatch.settle`. */
  async settleOutage(signal: AbortSignal): Promise<void> {
    await this.#outage.settle(this.#settling(signal))
  }

  #settling(signal: AbortSignal): Settling {
    const how = { of: 'list', blame: 'page', signal, priority: 'verification' } as const
    return {
      send: async (probe, watch) => this.request(probe, { ...how, place: { watch, skip: 0 } }),
      charge: async (failures) => this.#charge(failures),
      isRefused: (watch) => this.isRefused(watch),
    }
  }

  async #charge(failures: readonly Failure[]): Promise<void> {
    await this.#inTurn(this.#observed.then(async () => this.#options.charged?.(failures)))
  }

  /** What is observed next waits for it. */
  #inTurn(observed: Promise<void>): Promise<void> {
    this.#observed = observed.catch(() => undefined)
    return observed
  }

  /** All that was asked of a resource was refused (403), with this outcome. */
  async refuse(watch: Watchable, outcome: Refused, signal: AbortSignal): Promise<void> {
    const { access } = this.#options
    await access?.refuse({ watch, skip: 0 }, outcome)
    await this.#settle(signal)
  }

  /** A list was read to its end. */
  async readToEnd(watch: Watchable, exchange: Exchange): Promise<void> {
    await this.#options.access?.readToEnd(watch, exchange)
  }

  /** See `Limiter.rateFor`. */
  rateFor(needed: number): number {
    return this.#options.limiter.rateFor(this.#options.tenant, needed)
  }

  /** See `Limiter.evenRate`. */
  get evenRate(): number {
    return this.#options.limiter.evenRate
  }

  /** See `Limiter.budgetLeft`. */
  get budgetLeft(): number {
    return this.#options.limiter.budgetLeft
  }

  /** See `Limiter.spareAt`. */
  spareAt(now: number): number {
    return this.#options.limiter.spareAt(now)
  }

  /** See `Limiter.spareWait`. */
  async spareWait(signal: AbortSignal): Promise<void> {
    await this.#options.limiter.spareWait(signal)
  }

  #report(outcome: Outcome<unknown>, result: RequestResult, asked: Reported): Promise<void> {
    const { access, limiter } = this.#options
    const watch = asked.place?.watch ?? null
    if (result === 'success') this.#outage.answered(watch, outcome.exchange.answeredAt)
    if (asked.isUnconfirmed && watch !== null && 'reason' in outcome) this.#outage.failed(watch, outcome)
    // What one account may not read does not concern other accounts with the same key.
    const isForAll = result !== 'refused' || access === undefined || outcome.exchange.status !== 403
    const learnt = limiter.learn(outcome, isForAll ? result : 'declined')
    return this.#inTurn(this.#observe(Promise.all([this.#observed, learnt]), { outcome, result, asked }))
  }

  async #observe(before: Promise<unknown>, { asked, outcome, result }: Observed): Promise<void> {
    const { access, observe } = this.#options
    await before
    const noted = access === undefined ? result : await access.note(outcome, result, asked)
    await observe(outcome, asked.isUnconfirmed ? 'declined' : noted)
  }
}
