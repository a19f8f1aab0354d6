import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import type { ChannelSettings } from './subscription.ts'

/** A configured secret, ready to sign. */
export type SigningKey =
  /** Standard Webhooks `v1`, HMAC-SHA256. */
  | { readonly kind: 'v1'; readonly key: KeyObject }
  /** Standard Webhooks `v1a`, ed25519. `publicKey` is the `whpk_…` that a receiver verifies with. */
  | { readonly kind: 'v1a'; readonly key: KeyObject; readonly publicKey: string }

const ANY =
  'must be whsec_ and the base64 of 24 to 64 bytes (`echo whsec_$(openssl rand -base64 32)` makes one), or a whsk_ key (`shipbell subscriptions keys --new` makes one)'
const PAIR = 'whsk_ must be followed by the base64 of 64 bytes, an ed25519 seed and its public key'

/** PKCS #8 of an ed25519 key is this and its seed (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** The key of `whsec_…` or `whsk_…`, or why there is none: what goes on where a sentence names the secret, and never holds it. */
export function parseSigningKey(secret: string): SigningKey | { readonly kind: 'invalid'; readonly reason: string } {
  if (secret.startsWith('whsk_')) return keyPair(decoded(secret.slice('whsk_'.length)))
  if (secret.startsWith('whpk_')) return invalid('is a public key, for the receiver: Shipbell signs with the whsk_ key')
  const bytes = secret.startsWith('whsec_') ? decoded(secret.slice('whsec_'.length)) : null
  const fits = bytes !== null && bytes.length >= 24 && bytes.length <= 64
  return fits ? { kind: 'v1', key: createSecretKey(bytes) } : invalid(ANY)
}

function keyPair(bytes: Buffer | null): ReturnType<typeof parseSigningKey> {
  if (bytes === null) return invalid(`is not base64: ${PAIR}`)
  if (bytes.length !== 2 * SEED_BYTES) return invalid(`holds ${bytes.length} bytes: ${PAIR}`)
  const [seed, half] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)]
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  if (!spki.subarray(-SEED_BYTES).equals(half)) return invalid('holds a public key that does not belong to its seed')
  return { kind: 'v1a', key, publicKey: `whpk_${half.toString('base64')}` }
}

/** The `whpk_…` of every `whsk_` secret that signs what a channel sends: two during a rotation. */
export function publicKeysOf(channel: ChannelSettings): readonly string[] {
  if (!('secrets' in channel)) return []
  return channel.secrets.flatMap((secret) => {
    const key = parseSigningKey(secret)
    return key.kind === 'v1a' ? [key.publicKey] : []
  })
}

/** Padded standard base64 only, because verifiers of receivers refuse anything else. */
function decoded(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason }
}
