import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'

const KEPT_MS = 10_000

export interface KeptReportDeps<T> {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly make: (config: Config, now: number) => Promise<T>
}

/**
 * What takes a look at everything that is read: made once for all who ask within a while, anew at once under another
 * configuration.
 */
export class KeptReport<T> {
  readonly #deps: KeptReportDeps<T>
  #made: { readonly config: Config; readonly at: number; readonly report: Promise<T> } | null = null

  constructor(deps: KeptReportDeps<T>) {
    this.#deps = deps
  }

  async get(): Promise<T> {
    const { clock, live, make } = this.#deps
    const [at, { config }] = [clock.monotonic(), live]
    if (this.#made !== null && this.#made.config === config && at - this.#made.at < KEPT_MS)
      return await this.#made.report
    const report = make(config, clock.now())
    this.#made = { config, at, report }
    // A failure is nobody's answer for long.
    report.catch(() => {
      if (this.#made?.report === report) this.#made = null
    })
    return await report
  }
}
