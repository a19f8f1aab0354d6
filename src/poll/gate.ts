import PQueue from 'p-queue'
import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { afterRequest, CALM, isCalm, rebase, type Backoff, type RequestResult } from '../plan/backoff.ts'
import { pauseAfter, resume } from '../plan/pause.ts'
import { RequestWindow } from '../plan/request-window.ts'
import type { Spending } from '../model/spending.ts'
import type { AccountPause } from '../model/account-pause.ts'
import type { Outcome } from '../platform/outcome.ts'

/** Not asked: the caller's patience ends before the platform may be asked again. */
export interface Refusal {
  readonly kind: 'deferred'
  /** Why the platform has to be left alone, in one sentence. */
  readonly reason: string
}

/** How much trouble a request waits out before it is `deferred`; a daemon waits out everything. */
export interface Patience {
  /** Failed requests in a row, of this process. */
  readonly failures: number
  /** The longest wait, for a `Retry-After` above all. */
  readonly waitMs: number
}

export const ENDLESS_PATIENCE: Patience = { failures: Number.POSITIVE_INFINITY, waitMs: Number.POSITIVE_INFINITY }

interface Admission {
  readonly kind: 'admitted'
  readonly release: () => void
}

/** What outlives the process: a restart must not ask a platform that wants to be left alone, nor more than the budget. */
interface GateMemory {
  load(): Promise<AccountPause | null>
  /** What was spent of the budget that may not be back at `now`. */
  spent(now: number): Promise<readonly Spending[]>
  save(pause: AccountPause | null): Promise<void>
}

export interface GateOptions {
  readonly budget: AccountSettings['budget']
  /** What was spent of the budget already; left out: nothing. */
  readonly window?: RequestWindow
  readonly clock: Clock
  readonly random: () => number
  readonly patience: Patience
  readonly memory: GateMemory
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
  #isResumed = false
  /** Failures in a row that another process has waited out. */
  #inherited = 0
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
    await this.#resume()
    const admission = await this.#admit(options.signal)
    if (admission.kind === 'deferred') return admission
    try {
      return await this.#exchange(ask, options)
    } finally {
      admission.release()
    }
  }

  /** Goes on where the last process left the account, before the first request. */
  async #resume(): Promise<void> {
    if (this.#isResumed) return
    const { clock, memory } = this.#options
    const now = clock.now()
    const [pause, spent] = [await memory.load(), await memory.spent(now)]
    if (this.#isResumed) return
    this.#isResumed = true
    this.#window.recall(spent)
    if (pause === null) return
    this.#backoff = resume(pause, now)
    this.#inherited = pause.failures
    this.#trouble = pause.reason
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
    return this.#backoff.failures - this.#inherited >= failures || waitMs > longest
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
    const backoff = afterRequest(this.#backoff, report, this.#options.random())
    const pause = backoff === this.#backoff ? undefined : pauseAfter(backoff, result, this.#trouble)
    this.#backoff = backoff
    if (isCalm(backoff)) this.#inherited = 0
    const before = this.#observed
    const observed = before.then(async () => this.#tell(outcome, result, pause))
    this.#observed = observed.catch(() => undefined)
    await observed
    return outcome
  }

  /** `pause`: undefined where the outcome left it as it was. */
  async #tell(outcome: Outcome<unknown>, result: RequestResult, pause: AccountPause | null | undefined): Promise<void> {
    if (pause !== undefined) await this.#options.memory.save(pause)
    await this.#options.observe(outcome, result)
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
