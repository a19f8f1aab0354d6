import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { ShipbellError } from '../../../errors.ts'

const PREFIX = 'whsec_'

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
 * Standard Webhooks `v1`: base64 of HMAC-SHA256 over `id.timestamp.body`, one signature per secret, separated by spaces.
 * Keys are prepared once. Throws `config_invalid` for a secret that is not `whsec_` and base64.
 */
export function createSigner(secrets: readonly string[]): Signer {
  const keys = secrets.map(signingKey)
  return (message) => keys.map((key) => `v1,${signature(key, message)}`).join(' ')
}

function signature(key: KeyObject, { id, timestamp, body }: SignedMessage): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

function signingKey(secret: string): KeyObject {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.alloc(0)
  if (key.length === 0) {
    throw new ShipbellError('config_invalid', 'A webhook secret is not whsec_ followed by base64; generate a new one.')
  }
  return createSecretKey(key)
}
