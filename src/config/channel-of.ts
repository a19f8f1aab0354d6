import type { ChannelSettings, TlsSettings } from '../model/subscription.ts'
import type { SubscriptionKeys } from './subscription-keys.ts'

/** The channel of a subscription that names exactly one. `server`: where mail goes. */
export function channelOf(keys: SubscriptionKeys, server: string): ChannelSettings {
  const common = { timeoutMs: keys.timeout, concurrency: keys.concurrency }
  const { email, slack, svix } = keys
  // Slack shows messages in the order in which they come, and takes about one a second.
  if (slack !== undefined) return { kind: 'slack', ...slack, ...common, concurrency: 1 }
  if (email !== undefined) {
    const { digest } = keys
    const daily = digest === undefined ? null : { atMinutes: digest.at, timeZone: digest.time_zone }
    return { kind: 'email', ...email, digest: daily, server, ...common }
  }
  if (svix !== undefined) return { kind: 'svix', ...svix, ...common }
  return {
    kind: 'webhook',
    url: keys.url ?? '',
    secrets: keys.secret ?? [],
    headers: keys.headers,
    payload: keys.payload,
    format: keys.format,
    tls: keys.tls === undefined ? null : tlsSettings(keys.tls),
    ...common,
  }
}

function tlsSettings({ ca, cert, key }: Exclude<SubscriptionKeys['tls'], undefined>): TlsSettings {
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null }
}
