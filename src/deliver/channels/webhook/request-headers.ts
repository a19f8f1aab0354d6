import { unescape } from 'node:querystring'
import type { WebhookChannel } from '../../../model/subscription.ts'

/** Headers that are the same on every attempt: the operator's own (a User-Agent too), then those the contract fixes. */
export function fixedHeaders({ headers, url }: WebhookChannel, version: string): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries([
    ['user-agent', `shipbell/${version}`],
    ...basicCredentials(new URL(url)),
    ...own,
    ['content-type', 'application/json'],
  ])
}

/** User and password of a URL travel as Basic credentials (RFC 7617). */
function basicCredentials({ username, password }: URL): readonly [string, string][] {
  if (username === '' && password === '') return []
  const credentials = `${unescape(username)}:${unescape(password)}`
  return [['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]]
}
