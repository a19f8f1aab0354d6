import type { WebhookChannel } from './subscription.ts'

const SENSITIVE_NAME = /auth|cookie|credential|key|passw|secret|signature|token/i
const SHORTEST_PART = 8

/** Everything of a webhook's configuration that an answer may echo but the ledger must not show. */
export function channelSecrets({ secrets, headers, url, tls }: WebhookChannel): readonly string[] {
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
