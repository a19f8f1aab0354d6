import { unescape } from 'node:querystring'
import type { WebhookChannel } from '../../../model/subscription.ts'

/** Headers that are the same on every attempt: the operator's own (a User-Agent too), then those of guarantee S1. */
export function fixedHeaders(
  { headers, url, format }: WebhookChannel,
  version: string,
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries([
    ['user-agent', `shipbell/${version}`],
    ...basicCredentials(new URL(url)),
    ...own,
    ['content-type', mediaType(format)],
  ])
}

/** User and password of a URL travel as Basic credentials (RFC 7617). */
function basicCredentials({ username, password }: URL): readonly [string, string][] {
  if (username === '' && password === '') return []
  const credentials = `${unescape(username)}:${unescape(password)}`
  return [['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]]
}

/** JSON is UTF-8 (RFC 8259 section 8.1), so neither has a `charset`. */
function mediaType(format: WebhookChannel['format']): string {
  switch (format) {
    case 'standard':
      return 'application/json'
    case 'cloudevents':
      return 'application/cloudevents+json'
    default:
      return format satisfies never
  }
}
