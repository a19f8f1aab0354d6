import { createHmac, sign } from 'node:crypto'
import { unescape } from 'node:querystring'
import { ShipbellError } from '../../../errors.ts'
import { parseSigningKey, type SigningKey } from '../../../model/signing-key.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'

/** Headers that are the same on every attempt: the operator's own (a User-Agent too), then those of guarantee S1. */
export function fixedHeaders(
  { headers, url }: Pick<WebhookChannel, 'headers' | 'url'>,
  { contentType, version }: { readonly contentType: string; readonly version: string },
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries([
    ['user-agent', `shipbell/${version}`],
    ...basicCredentials(new URL(url)),
    ...own,
    ['content-type', contentType],
  ])
}

/** User and password of a URL travel as Basic credentials (RFC 7617). */
function basicCredentials({ username, password }: URL): readonly [string, string][] {
  if (username === '' && password === '') return []
  const credentials = `${unescape(username)}:${unescape(password)}`
  return [['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]]
}

/** What says of an attempt which event it carries and, where something signs, from whom it is. */
export function signedHeaders(
  { body, id }: Pick<SignedMessage, 'body' | 'id'>,
  { now, sign: signer }: { readonly sign: Signer | null; readonly now: number },
): Readonly<Record<string, string>> {
  if (signer === null) return { 'webhook-id': id }
  const timestamp = Math.floor(now / 1_000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signer({ id, timestamp, body }),
  }
}

interface SignedMessage {
  readonly id: string
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly timestamp: number
  /** The bytes sent. */
  readonly body: Buffer
}

/** The value of `webhook-signature` for a message. */
export type Signer = (message: SignedMessage) => string

/**
 * Standard Webhooks: a signature of `id.timestamp.body` per secret, separated by spaces; `v1` with a `whsec_` secret, `v1a`
 * with a `whsk_` key. Keys are prepared once. Throws `config_invalid` for anything else.
 */
export function createSigner(secrets: readonly string[]): Signer {
  const keys = secrets.map(signingKey)
  return (message) => keys.map((key) => signature(key, message)).join(' ')
}

function signature(signing: SigningKey, { id, timestamp, body }: SignedMessage): string {
  const head = `${id}.${timestamp}.`
  switch (signing.kind) {
    case 'v1':
      return `v1,${createHmac('sha256', signing.key).update(head).update(body).digest('base64')}`
    case 'v1a':
      return `v1a,${sign(null, Buffer.concat([Buffer.from(head), body]), signing.key).toString('base64')}`
    default:
      return signing satisfies never
  }
}

function signingKey(secret: string): SigningKey {
  const key = parseSigningKey(secret)
  if (key.kind === 'invalid') throw new ShipbellError('config_invalid', `A webhook's secret ${key.reason}.`)
  return key
}
