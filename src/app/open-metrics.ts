import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Metrics } from '../serve/metrics/metrics.ts'
import type { MetricsSource } from '../serve/metrics/metrics-source.ts'
import type { Store } from '../store/ports/store.ts'
import { readVersion } from '../version.ts'
import type { TelemetryHub } from './telemetry-hub.ts'

export interface MetricsSurroundings extends Pick<
  MetricsSource,
  'configRejected' | 'polled' | 'storeBytes' | 'worker'
> {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: Store
  readonly telemetry: TelemetryHub
}

/** Metrics of what is done from now on. Their library is loaded here, so that who serves nothing does without it. */
export async function openMetrics(surroundings: MetricsSurroundings): Promise<Metrics> {
  const { clock, configRejected, live, polled, store, storeBytes, telemetry, worker } = surroundings
  const { Metrics } = await import('../serve/metrics/metrics.ts')
  const metrics = new Metrics({
    clock,
    store,
    polled,
    version: readVersion(),
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    storeBytes,
    worker,
    configRejected,
  })
  telemetry.add(metrics.telemetry)
  return metrics
}
