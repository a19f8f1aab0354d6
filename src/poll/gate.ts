import PQueue from 'p-queue'
import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { afterRequest, CALM, isCalm, rebase, type Backoff, type RequestResult } from '../plan/backoff.ts'
import { RequestWindow } from '../plan/request-window.ts'
import type { Outcome } from '../platform/outcome.ts'

/** Not asked: the caller's patience ends before the platform may be asked again. */
export interface Refusal {
  readonly kind: 'deferred'
  /** Why the platform has to be left alone, in one sentence. */
  readonly reason: string
}

/** How much trouble a request waits out before it is `deferred`; a daemon waits out everything. */
export interface Patience {
  /** Failed requests in a row. */
  readonly failures: number
  /** The longest wait, for a `Retry-After` above all. */
  readonly waitMs: number
}

export const ENDLESS_PATIENCE: Patience = { failures: Number.POSITIVE_INFINITY, waitMs: Number.POSITIVE_INFINITY }

interface Admission {
  readonly kind: 'admitted'
  readonly release: () => void
}

export interface GateOptions {
  readonly budget: AccountSettings['budget']
  /** What was spent of the budget already; left out: nothing. */
  readonly window?: RequestWindow
  readonly clock: Clock
  readonly random: () => number
  readonly patience: Patience
  /** Told of every outcome, one at a time, before the next request is admitted in its place. */
  readonly observe: (outcome: Outcome<unknown>, result: RequestResult) => Promise<void>
}

export interface RequestOptions {
  /** A refused item (403) says nothing about the account; a refused list does. */
  readonly of: 'list' | 'item'
  readonly signal: AbortSignal
}

/**
 * The one way to the platform for an account: every request waits here for the budget, the concurrency limit, and the
 * back-off. While the platform fails, one request at a time probes it.
 */
export class Gate {
  readonly #options: GateOptions
  readonly #queue: PQueue
  readonly #window: RequestWindow
  #backoff: Backoff = CALM
  #probe: Promise<void> | null = null
  /** What the last request without success said. */
  #trouble = ''
  #observed: Promise<void> = Promise.resolve()

  constructor(options: GateOptions) {
    this.#options = options
    this.#queue = new PQueue({ concurrency: options.budget.concurrency })
    this.#window = options.window ?? new RequestWindow(options.budget)
  }

  async request<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    return this.#queue.add(async () => this.#admitted(ask, options))
  }

  async #admitted<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T> | Refusal> {
    const admission = await this.#admit(options.signal)
    if (admission.kind === 'deferred') return admission
    try {
      return await this.#exchange(ask, options)
    } finally {
      admission.release()
    }
  }

  /** While not calm, whoever is admitted becomes the probe in the same turn: nobody else slips in beside it. */
  async #admit(signal: AbortSignal): Promise<Admission | Refusal> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#probe !== null) {
        await this.#probe
        continue
      }
      const now = this.#options.clock.now()
      this.#backoff = rebase(this.#backoff, now)
      const { notBefore } = this.#backoff
      if (this.#losesPatience(notBefore - now))
        return { kind: 'deferred', reason: `the platform fails: ${this.#trouble}` }
      const readyAt = Math.max(this.#window.readyAt(now), notBefore)
      if (readyAt <= now) {
        this.#window.spend(now)
        return { kind: 'admitted', release: isCalm(this.#backoff) ? () => undefined : this.#startProbe() }
      }
      await this.#options.clock.sleep(readyAt - now, signal)
    }
  }

  #losesPatience(waitMs: number): boolean {
    const { failures, waitMs: longest } = this.#options.patience
    return this.#backoff.failures >= failures || waitMs > longest
  }

  #startProbe(): () => void {
    const probe = Promise.withResolvers<void>()
    this.#probe = probe.promise
    return () => {
      this.#probe = null
      probe.resolve()
    }
  }

  async #exchange<T>(ask: () => Promise<Outcome<T>>, options: RequestOptions): Promise<Outcome<T>> {
    const outcome = await ask()
    const result = resultOf(outcome, options.of)
    const { sentAt, answeredAt } = outcome.exchange
    if ('reason' in outcome) this.#trouble = outcome.reason
    const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : null
    const report = { result, sentAt, answeredAt, retryAfterMs }
    this.#backoff = afterRequest(this.#backoff, report, this.#options.random())
    const before = this.#observed
    const observed = before.then(async () => this.#options.observe(outcome, result))
    this.#observed = observed.catch(() => undefined)
    await observed
    return outcome
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
