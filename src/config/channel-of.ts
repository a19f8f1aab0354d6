import type { MessageTemplates } from '../model/message-template.ts'
import type { ChannelSettings, TlsSettings } from '../model/subscription.ts'
import type { SubscriptionKeys } from './subscription-keys.ts'

interface Surroundings {
  /** Where mail goes. */
  readonly server: string
  readonly templates: MessageTemplates
}

/** The channel of a subscription that names exactly one. */
export function channelOf(keys: SubscriptionKeys, { server, templates }: Surroundings): ChannelSettings {
  const common = { timeoutMs: keys.timeout, concurrency: keys.concurrency }
  const { email, slack, svix } = keys
  // Slack shows messages in the order in which they come, and takes about one a second.
  if (slack !== undefined) return { kind: 'slack', ...slack, templates, ...common, concurrency: 1 }
  if (email !== undefined) {
    const { digest } = keys
    const daily = digest === undefined ? null : { atMinutes: digest.at, timeZone: digest.time_zone }
    return { kind: 'email', ...email, digest: daily, server, templates, ...common }
  }
  if (svix !== undefined) return { kind: 'svix', ...svix, ...common }
  return {
    kind: 'webhook',
    url: keys.url?.value ?? '',
    secrets: keys.secret ?? [],
    headers: keys.headers.value,
    drawn: [...(keys.url?.drawn ?? []), ...keys.headers.drawn],
    payload: keys.payload,
    format: keys.format,
    tls: keys.tls === undefined ? null : tlsSettings(keys.tls),
    ...common,
  }
}

function tlsSettings({ ca, cert, key }: Exclude<SubscriptionKeys['tls'], undefined>): TlsSettings {
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null }
}
