import { expect, vi } from 'vitest'
import { API_KEY } from '../support/loopback-platform.ts'
import { SECRET, type LoopbackReceiver } from '../support/loopback-receiver.ts'
import type { RunningShipbell, Workplace } from '../support/shipbell.ts'

/** A failing fact shows only after this; machines are shared and noisy. */
export const WAIT = { timeout: 60_000, interval: 20 }
/** Where a command looks: each takes the processor from what it waits for. */
export const WAIT_BY_COMMAND = { timeout: 60_000, interval: 1_000 }

export function configure(
  work: Workplace,
  urls: { readonly platform: string; readonly receiver: string },
  { subscriptions = '', more = '' } = {},
): void {
  work.write(
    'shipbell.yaml',
    `accounts:
  acme:
    base_url: ${urls.platform}
    api_key: ${API_KEY}
    budget: { requests: 1000, per: 1s, concurrency: 4 }
    watch:
      shipments: { every: 250ms }
      tracking: { every: 500ms }
      invoices: { every: 250ms }
subscriptions:
  erp:
    url: ${urls.receiver}
    secret: ${SECRET}
    events: ["*", "account.*"]
${subscriptions}
delivery: { allow_networks: [127.0.0.0/8], retry: [100ms, 200ms, 500ms, 1s, 1s, 1s] }
http: { listen: "127.0.0.1:0" }
${more}`,
  )
}

export async function baselined(receiver: LoopbackReceiver): Promise<void> {
  const done = (): number => receiver.events.filter(({ type }) => type === 'account.baseline_completed').length
  await vi.waitFor(() => expect(done()).toBe(3), WAIT)
}

export async function stopped(daemon: RunningShipbell): Promise<void> {
  daemon.kill('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
}

export async function killed(daemon: RunningShipbell): Promise<void> {
  daemon.kill('SIGKILL')
  await daemon.ended
}
