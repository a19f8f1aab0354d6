import type { ChannelSettings, WebhookChannel } from './subscription.ts'

const SENSITIVE_NAME = /auth|cookie|credential|key|passw|secret|signature|token/i
const SHORTEST_PART = 8

/** Everything of a channel's configuration that an answer may echo but the ledger must not show. */
export function channelSecrets(channel: ChannelSettings): readonly string[] {
  switch (channel.kind) {
    case 'webhook':
      return webhookSecrets(channel)
    case 'slack':
      return postingSecrets(channel.url)
    case 'email':
      return urlSecrets(channel.server)
    case 'svix':
      return [channel.token]
    default:
      return channel satisfies never
  }
}

/** Whoever knows the path of an incoming webhook, or its last part, may post to it. */
function postingSecrets(url: string): readonly string[] {
  const { href, pathname, search } = new URL(url)
  const last = pathname.split('/').at(-1) ?? ''
  return [url, href, pathname + search, pathname, last].filter((text) => text.length >= SHORTEST_PART)
}

function urlSecrets(url: string): readonly string[] {
  const { password } = new URL(url)
  return [password, decoded(password)].filter((text) => text !== '')
}

function webhookSecrets({ secrets, headers, url, tls }: WebhookChannel): readonly string[] {
  const { password } = new URL(url)
  const sensitive = Object.entries(headers).filter(([name]) => SENSITIVE_NAME.test(name))
  const signing = secrets.flatMap((secret) => [secret, secret.replace(/^wh[a-z]+_/, '')])
  const parts = sensitive.flatMap(([, value]) => [
    value,
    ...value.split(' ').filter(({ length }) => length >= SHORTEST_PART),
  ])
  return [...signing, ...parts, ...keyLines(tls?.key ?? ''), decoded(password)].filter((secret) => secret !== '')
}

/** A private key, line by line, because it may be shown with other line ends. */
function keyLines(pem: string): readonly string[] {
  return pem.split(/\s*\n\s*/).filter((line) => line.length >= SHORTEST_PART && !line.startsWith('-----'))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
