import { stat } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Metrics } from '../serve/metrics/metrics.ts'
import type { MetricsSource } from '../serve/metrics/metrics-source.ts'
import type { Store } from '../store/ports.ts'
import { readVersion } from '../version.ts'
import type { TelemetryHub } from './telemetry-hub.ts'

export interface MetricsSurroundings extends Pick<MetricsSource, 'polled'> {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: Store
  readonly telemetry: TelemetryHub
}

/** Metrics of what is done from now on. Their library is loaded here, so that who serves nothing does without it. */
export async function openMetrics(surroundings: MetricsSurroundings): Promise<Metrics> {
  const { clock, live, polled, store, telemetry } = surroundings
  const { Metrics } = await import('../serve/metrics/metrics.ts')
  const metrics = new Metrics({
    clock,
    store,
    polled,
    version: readVersion(),
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    storeBytes: async () => storeBytes(live.config.storage.path),
  })
  telemetry.add(metrics.telemetry)
  return metrics
}

/** With the log of what is not in the file yet, and its index. */
async function storeBytes(path: string): Promise<number> {
  const files = [path, `${path}-wal`, `${path}-shm`]
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}
