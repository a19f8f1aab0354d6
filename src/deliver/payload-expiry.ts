import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { RetentionStore, SweepPlace } from '../store/retention-port.ts'

/** Few enough that a claim or a commit hardly waits for the store. */
const STEP = 200
const PAUSE_MS = 20

const MOST_OFTEN_MS = 1_000
const LEAST_OFTEN_MS = 3_600_000
/** How much later than `retention` says a payload may go, as a part of it. */
const LATENESS = 0.1

export interface PayloadExpiryDeps {
  readonly store: RetentionStore
  readonly clock: Clock
  readonly log: Logger
  /** How long payloads are kept after the last delivery of their event ended. */
  readonly retentionMs: () => number
}

/** Expires payloads in small steps, so that neither polls nor deliveries wait for it. */
export class PayloadExpiry {
  readonly #deps: PayloadExpiryDeps

  constructor(deps: PayloadExpiryDeps) {
    this.#deps = deps
  }

  /** Sweeps at once and then now and then, until `signal` aborts. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, retentionMs } = this.#deps
    while (!signal.aborted) {
      const pause = Math.min(Math.max(retentionMs() * LATENESS, MOST_OFTEN_MS), LEAST_OFTEN_MS)
      try {
        await this.sweep(signal)
      } catch (error) {
        if (signal.aborted) return
        log.error({ error: String(error), next: 'retry', retry_in_ms: pause }, 'retention.stalled')
      }
      await clock.sleep(pause, signal)
    }
  }

  /** Expires everything whose time has come; `signal` ends it between two steps. Throws `store_unusable`. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { store, clock, log, retentionMs } = this.#deps
    const startedAt = clock.now()
    const before = startedAt - retentionMs()
    let expired = 0
    let after: SweepPlace | null = null
    do {
      const step = await store.expirePayloads({ before, now: clock.now(), after, limit: STEP })
      expired += step.expired
      after = step.end
      if (after !== null) await clock.sleep(PAUSE_MS, signal)
    } while (after !== null && !signal.aborted)
    if (expired > 0) log.info({ expired, duration_ms: clock.now() - startedAt }, 'retention.swept')
  }
}
