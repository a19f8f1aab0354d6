import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Telemetry } from '../../model/telemetry.ts'
import type { MetricsText } from '../admin-context.ts'
import { Counted } from './counted.ts'
import { Gauges } from './gauges.ts'
import { takeSnapshot, type MetricsSource } from './metrics-source.ts'

/** However often and by however many it is asked, the store is looked at once in this time. */
const FRESH_MS = 2_000
/** The delay of the event loop is sampled so often; each sample wakes the process. */
const SAMPLED_EVERY_MS = 100

/** What is not measured yet has no value. */
const UNSAMPLED = /^nodejs_eventloop_lag_\w+(?:\{[^}]*\})? nan\n/gim

/** A metric with the values of its series; of a histogram each has several, which `metricName` tells apart. */
export interface ExposedMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly ExposedValue[]
}

interface ExposedValue {
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  readonly metricName?: string
}

/** What `/metrics` answers. */
export class Metrics {
  /** Is to hear what is done from the start of the process on. */
  readonly telemetry: Telemetry
  readonly #source: MetricsSource
  readonly #registry = new Registry()
  readonly #counted: Counted
  readonly #gauges: Gauges
  /** Whether the process itself is measured, too: that costs more than all the rest, and is worth it where somebody asks. */
  #isMeasured = false
  #refreshed: { readonly at: number; readonly done: Promise<void> } | null = null

  constructor(source: MetricsSource) {
    this.#source = source
    this.#counted = new Counted(this.#registry)
    this.#gauges = new Gauges(this.#registry, { version: source.version, startedAt: source.clock.now() })
    this.telemetry = this.#counted
  }

  /** Throws `store_unusable`. */
  async expose(): Promise<MetricsText> {
    await this.#upToDate()
    const text = await this.#registry.metrics()
    return { contentType: this.#registry.contentType, text: text.replaceAll(UNSAMPLED, '') }
  }

  /** What `expose` says, as values. Throws `store_unusable`. */
  async read(): Promise<readonly ExposedMetric[]> {
    await this.#upToDate()
    const metrics = await this.#registry.getMetricsAsJSON()
    return metrics.map(({ help, name, type, values }) => ({ name, help, type: String(type), values }))
  }

  async #upToDate(): Promise<void> {
    this.#measure()
    const at = this.#source.clock.monotonic()
    if (this.#refreshed === null || at - this.#refreshed.at >= FRESH_MS)
      this.#refreshed = { at, done: this.#refresh().catch(this.#forget) }
    await this.#refreshed.done
  }

  #measure(): void {
    if (this.#isMeasured) return
    this.#isMeasured = true
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: SAMPLED_EVERY_MS })
  }

  async #refresh(): Promise<void> {
    const { accounts, subscriptions } = this.#source
    await this.#counted.follow(accounts(), subscriptions())
    const snapshot = await takeSnapshot(this.#source)
    this.#counted.tookOver(snapshot.worker.takeovers)
    this.#gauges.show(snapshot)
  }

  /** What failed is tried again with the next question. */
  readonly #forget = (error: unknown): never => {
    this.#refreshed = null
    throw error
  }
}
