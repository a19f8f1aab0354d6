import { systemClock } from '../../src/clock.ts'
import { createPlatformClient, type PlatformClientOptions } from '../../src/platform/client.ts'
import type { PlatformClient } from '../../src/platform/platform.ts'

export const API_KEY = 'pk_live_4fJ7secret'

/** Each look at the clock is one second later. */
function steppingClock(start = Date.UTC(2026, 10, 21, 8)): PlatformClientOptions['clock'] {
  let now = start - 1_000
  return { now: () => (now += 1_000), after: (ms, act) => systemClock.after(ms, act) }
}

export function clientOf(baseUrl: string, options: Partial<PlatformClientOptions> = {}): PlatformClient {
  return createPlatformClient({
    baseUrl,
    apiKey: API_KEY,
    timeoutMs: 5_000,
    concurrency: 4,
    userAgent: 'shipbell/test',
    clock: steppingClock(),
    ...options,
  })
}

export const FIRST_PAGE = { skip: 0, take: 100, shipmentIdField: null }
