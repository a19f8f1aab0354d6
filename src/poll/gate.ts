import type { RequestResult } from '../plan/backoff.ts'
import type { Outcome } from '../platform/outcome.ts'
import type { Limiter, Refusal, Tenant } from './limiter.ts'
import type { Urgency } from './waiting-line.ts'

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

export interface GateOptions extends Tenancy {
  readonly patience: Patience
  /** Told of every outcome, one at a time, before the next request is admitted in its place. */
  readonly observe: (outcome: Outcome<unknown>, result: RequestResult) => Promise<void>
}

export interface RequestOptions {
  /** A refused item (403) says nothing about the account; a refused list does. */
  readonly of: 'list' | 'item'
  readonly signal: AbortSignal
  /** Left out: `promise`. */
  readonly urgency?: Urgency
}

/** The one way to the platform for an account: every request goes through the limiter of its key. */
export class Gate {
  readonly #options: GateOptions
  #observed: Promise<void> = Promise.resolve()

  constructor(options: GateOptions) {
    this.#options = options
  }

  async request<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    const { limiter, patience } = this.#options
    const { signal, urgency = 'promise' } = options
    const admission = await limiter.admit({
      urgency,
      signal,
      losesPatience: ({ failures, waitMs }) => failures >= patience.failures || waitMs > patience.waitMs,
    })
    if (admission.kind === 'deferred') return admission
    try {
      const outcome = await ask()
      await this.#tell(outcome, resultOf(outcome, options.of))
      return outcome
    } finally {
      admission.release()
    }
  }

  /** See `Limiter.rateFor`. */
  rateFor(needed: number): number {
    return this.#options.limiter.rateFor(this.#options.tenant, needed)
  }

  /** See `Limiter.spareAt`. */
  spareAt(now: number): number {
    return this.#options.limiter.spareAt(now)
  }

  /** See `Limiter.spareWait`. */
  async spareWait(signal: AbortSignal): Promise<void> {
    await this.#options.limiter.spareWait(signal)
  }

  async #tell(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const learnt = this.#options.limiter.learn(outcome, result)
    const observed = Promise.all([this.#observed, learnt]).then(async () => this.#options.observe(outcome, result))
    this.#observed = observed.catch(() => undefined)
    await observed
  }
}

/** What an outcome says about the platform and the account, whatever it says about the item asked for. */
function resultOf(outcome: Outcome<unknown>, of: RequestOptions['of']): RequestResult {
  switch (outcome.kind) {
    case 'ok':
    case 'empty':
    case 'not_found':
    case 'rejected':
      return 'success'
    case 'throttled':
      return 'throttled'
    case 'unauthorized':
      return of === 'item' && outcome.exchange.status === 403 ? 'success' : 'refused'
    case 'broken':
    case 'unreachable':
      return 'failure'
    default:
      return outcome satisfies never
  }
}
