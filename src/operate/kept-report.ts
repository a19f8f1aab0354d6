import { inTime, turnTaking, type Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'

const FRESH_MS = 30_000
const OLDEST_MS = 5 * 60_000
/** Between two steps of a report that is made behind those who ask: they are hardly held up by it. */
const REST_MS = 10

export interface KeptReportDeps<T> {
  readonly live: LiveConfig
  readonly clock: Clock
  /** Younger ones are handed out as they are; by default half a minute. */
  readonly freshMs?: number
  /** Older ones are handed out to nobody; by default five minutes. */
  readonly oldestMs?: number
  /** Makes it in small steps, between which `letOthers` is called. */
  readonly make: (config: Config, making: Making) => Promise<T>
}

export interface Making {
  readonly now: number
  readonly letOthers: () => Promise<void>
}

interface Made<T> {
  readonly config: Config
  readonly at: number
  readonly report: Promise<T>
}

/**
 * What takes a look at everything that is read: made once for all who ask within a while, anew at once under another
 * configuration. Who asks for one that is no longer fresh has it as it is, and a new one is made behind them.
 */
export class KeptReport<T> {
  readonly #deps: KeptReportDeps<T>
  #made: Made<T> | null = null
  #last: { readonly config: Config; readonly report: T } | null = null
  #renewing = false

  constructor(deps: KeptReportDeps<T>) {
    this.#deps = deps
  }

  async get(): Promise<T> {
    const { clock, freshMs = FRESH_MS, live, oldestMs = OLDEST_MS } = this.#deps
    const made = this.#made
    const age = made === null || made.config !== live.config ? Infinity : clock.monotonic() - made.at
    if (made === null || age >= oldestMs) return await this.#make()
    if (age >= freshMs) this.#renew()
    return await made.report
  }

  /**
   * As `get`, but whoever has waited that long is handed the last one however old it is, or null where there is none of this
   * configuration. So is who asks for one that cannot be made, if there is one.
   */
  async within(patienceMs: number): Promise<T | null> {
    const { clock, live } = this.#deps
    const last = this.#last?.config === live.config ? this.#last : null
    try {
      return await inTime(this.get(), { clock, ms: patienceMs, late: last?.report ?? null })
    } catch (error) {
      if (last === null) throw error
      return last.report
    }
  }

  async #make(): Promise<T> {
    const { clock, live, make } = this.#deps
    const { config } = live
    const made = {
      config,
      at: clock.monotonic(),
      report: make(config, { now: clock.now(), letOthers: turnTaking(clock) }),
    }
    this.#made = made
    // A failure is nobody's answer for long.
    made.report.catch(() => {
      if (this.#made === made) this.#made = null
    })
    const report = await made.report
    this.#last = { config, report }
    return report
  }

  /** Whoever asks meanwhile has the old one. A failure leaves it in place until it is too old. */
  #renew(): void {
    if (this.#renewing) return
    this.#renewing = true
    void this.#renewed().finally(() => {
      this.#renewing = false
    })
  }

  async #renewed(): Promise<void> {
    const { clock, live, make } = this.#deps
    const { config } = live
    // Those that wait now are answered first.
    await clock.sleep(0)
    const at = clock.monotonic()
    try {
      const letOthers = turnTaking(clock, { restMs: REST_MS })
      const report = await make(config, { now: clock.now(), letOthers })
      if (live.config !== config) return
      this.#made = { config, at, report: Promise.resolve(report) }
      this.#last = { config, report }
    } catch {
      // Who asks once it is too old is told.
    }
  }
}
