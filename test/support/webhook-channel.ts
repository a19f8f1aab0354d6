import type { WebhookChannel } from '../../src/model/subscription.ts'

/** A channel with the defaults of the configuration, but for what a test is about. */
export function webhookChannel(about: Partial<WebhookChannel> = {}): WebhookChannel {
  return {
    kind: 'webhook',
    url: 'https://erp.example/hooks',
    secrets: [],
    headers: {},
    drawn: [],
    payload: 'full',
    format: 'standard',
    tls: null,
    timeoutMs: 15_000,
    concurrency: 4,
    ...about,
  }
}
