import { signedPostingSecrets } from '../../src/config/channel-secrets.ts'
import type { WebhookChannel } from '../../src/model/subscription.ts'

export interface WebhookAbout extends Partial<WebhookChannel> {
  /** What of the URL and the headers came from variables. */
  readonly drawn?: readonly string[]
}

/** A channel with the defaults of the configuration, but for what a test is about. */
export function webhookChannel({ drawn = [], ...about }: WebhookAbout = {}): WebhookChannel {
  const channel = {
    kind: 'webhook',
    url: 'https://erp.example/hooks',
    secrets: [],
    headers: {},
    payload: 'full',
    format: 'standard',
    tls: null,
    timeoutMs: 15_000,
    concurrency: 4,
    ...about,
  } as const
  return { hidden: signedPostingSecrets({ ...channel, drawn }), ...channel }
}
