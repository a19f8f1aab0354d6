import type { Exchange, Validator } from '../../model/exchange.ts'
import type { Watchable } from '../../model/resource.ts'
import type { RequestResult } from '../../plan/backoff.ts'
import type { Place } from '../../plan/access.ts'
import type { Outcome, Refused } from '../../platform/outcome.ts'
import type { AccessWatch, Asked } from './access-watch.ts'
import { lacksOurs, resultOf, type Blamed, type Failure } from './health.ts'
import type { Limiter, Refusal } from './limiter.ts'
import type { Rider, Tenant } from './tenant.ts'
import type { Priority } from './priority-queue.ts'

const MOST_TRIES = 3

export type ReadResult<T> =
  /** `value` is null where the platform answered that there is nothing (404). */
  | {
      readonly kind: 'read'
      readonly value: T | null
      readonly exchange: Exchange
      /** By what the same answer is known again; null where nothing can tell. */
      readonly validator: Validator | null
    }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /**
       * `rejected`: a record that cannot be understood; `refused`: not for this key; `namesake`: another record of the reference;
       * `trouble`: asking again may help.
       */
      readonly why: 'rejected' | 'refused' | 'namesake' | 'trouble'
      /** The exchange; null: the platform was not asked. */
      readonly exchange: Exchange | null
    }

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
  #answeredAt = Number.NEGATIVE_INFINITY
  #observed: Promise<void> = Promise.resolve()

  constructor(options: AccountClientOptions) {
    this.#options = options
  }

  /** When the last answer arrived that was no failure, whatever was asked for. */
  get answeredAt(): number {
    return this.#answeredAt
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
    for (let failures = 0; ;) {
      const outcome = await this.request(request, options)
      switch (outcome.kind) {
        case 'ok':
          return {
            kind: 'read',
            value: outcome.value,
            exchange: outcome.exchange,
            validator: outcome.validator ?? null,
          }
        case 'empty':
        case 'not_found':
          return { kind: 'read', value: null, exchange: outcome.exchange, validator: null }
        case 'throttled':
          continue
        case 'rejected':
          return { ...failed(outcome), why: 'rejected' }
        case 'unauthorized':
          return { ...failed(outcome), why: outcome.exchange.status === 403 ? 'refused' : 'trouble' }
        case 'deferred':
          return { kind: 'failed', reason: outcome.reason, why: 'trouble', exchange: null }
        case 'broken':
        case 'unreachable':
          // Nobody was asked: to ask again at once would need what lacks.
          if (lacksOurs(outcome)) return { kind: 'failed', reason: outcome.reason, why: 'trouble', exchange: null }
          failures += 1
          if (failures < (options.tries ?? (options.of === 'list' ? MOST_TRIES : 1))) continue
          return { ...failed(outcome), why: 'trouble' }
        default:
          return outcome satisfies never
      }
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

  /** Failures of a page are the account's: nothing of its list answers. Those before the last success are no more in a row. */
  async confirm(failures: readonly Failure[]): Promise<void> {
    const inARow = failures.filter(({ exchange }) => exchange.sentAt >= this.#answeredAt)
    if (inARow.length > 0) await this.#charge(inARow)
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
    if (result === 'success') this.#answeredAt = outcome.exchange.answeredAt
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

function failed({ reason, exchange }: { readonly reason: string; readonly exchange: Exchange }) {
  return { kind: 'failed', reason, exchange } as const
}
