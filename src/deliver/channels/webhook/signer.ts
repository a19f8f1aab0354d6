import { createHmac, sign } from 'node:crypto'
import { ShipbellError } from '../../../errors.ts'
import { parseSigningKey, type SigningKey } from '../../../model/signing-key.ts'

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
