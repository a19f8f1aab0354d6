import { idOf, NO_CLOCK_IS_SET, Polling, shipments, trackingOf, WATCH } from './polling.ts'

export const MINUTE_MS = 60_000
export const BUDGET = { requests: 60, perMs: MINUTE_MS, concurrency: 4, share: 1 }

/** Runs the daemon's loops until it is disposed of. */
export class Daemon implements AsyncDisposable {
  readonly #polling: Polling
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(polling: Polling) {
    this.#polling = polling
    this.#running = polling.poller.run(this.#stop.signal)
  }

  async advance(minutes: number): Promise<void> {
    await this.#polling.clock.advance(minutes * MINUTE_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}

export async function typesSince(polling: Polling, before: number): Promise<readonly string[]> {
  return (await polling.types()).slice(before)
}

export function withTracking(sleep: { readonly longestSleepMs?: number } = NO_CLOCK_IS_SET): Polling {
  const watch = {
    shipments: { ...WATCH.shipments, everyMs: 5 * MINUTE_MS },
    tracking: { ...WATCH.tracking, everyMs: 15 * MINUTE_MS },
  }
  const polling = new Polling({ budget: BUDGET, watch }, sleep)
  polling.platform.shipments = shipments(4).map((each) => ({ ...each, status: 'in_progress' }))
  for (const each of polling.platform.shipments) polling.platform.tracking.set(idOf(each), trackingOf(idOf(each), 'x'))
  return polling
}

export function askedFor({ platform }: Polling, what: string, since: number): number {
  return platform.asked.slice(since).filter((each) => each.what === what).length
}
