import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { formatDuration } from '../model/duration.ts'

/** What receivers allow a signature to be older or newer than their clock (Standard Webhooks). */
const TOLERANCE_S = 300

export interface SignedRequest {
  readonly header: (name: string) => string | undefined
  /** The bytes as they came. */
  readonly body: Buffer
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

export type Verdict =
  | { readonly kind: 'verified' }
  /** `reason` in a few words; it may hold parts of the request. */
  | { readonly kind: 'unsigned' | 'wrong'; readonly reason: string }

/** Judges a Standard Webhooks signature, and says of a refused one what is wrong with it. */
export function verifySignature(scheme: SignatureScheme, { header, body, now }: SignedRequest): Verdict {
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !header(name))
  if (missing.length > 0) return { kind: 'unsigned', reason: `without ${missing.join(', ')}` }
  const timestamp = header('webhook-timestamp') ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return wrong('webhook-timestamp is not a number of seconds')
  const signatures = (header('webhook-signature') ?? '').split(' ').map((each) => each.split(',', 2))
  const own = signatures.filter(([version]) => version === scheme.version)
  if (own.length === 0) return wrong(`no ${scheme.version} signature among ${versionsOf(signatures)}`)
  const content = Buffer.concat([Buffer.from(`${header('webhook-id')}.${timestamp}.`), body])
  if (!own.some(([, text = '']) => scheme.fits(content, Buffer.from(text, 'base64')))) {
    return wrong('signed with another secret, or altered on the way')
  }
  return judgeAge(Math.floor(now / 1_000) - Number(timestamp))
}

function judgeAge(seconds: number): Verdict {
  if (Math.abs(seconds) <= TOLERANCE_S) return { kind: 'verified' }
  const off = formatDuration(Math.abs(seconds) * 1_000)
  const allowed = formatDuration(TOLERANCE_S * 1_000)
  return wrong(`${seconds > 0 ? `old timestamp: signed ${off} ago` : `timestamp ${off} ahead`}, ${allowed} are allowed`)
}

function versionsOf(signatures: readonly (readonly string[])[]): string {
  return signatures.map(([version = '']) => version).join(', ')
}

function wrong(reason: string): Verdict {
  return { kind: 'wrong', reason }
}

/** How one kind of secret signs (Standard Webhooks): `v1` is HMAC-SHA256, `v1a` is ed25519. */
export interface SignatureScheme {
  readonly version: 'v1' | 'v1a'
  readonly fits: (content: Buffer, signature: Buffer) => boolean
}

const KEY_BYTES = 32

/** The scheme of `whsec_…`, `whpk_…` (a public key) or `whsk_…` (seed and public key); null for anything else. */
export function schemeOf(secret: string): SignatureScheme | null {
  const [, kind, base64 = ''] = /^(whsec|whpk|whsk)_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const bytes = Buffer.from(base64, 'base64')
  switch (kind ?? 'none') {
    case 'whsec':
      return hmac(bytes)
    case 'whpk':
      return bytes.length === KEY_BYTES ? ed25519(bytes) : null
    case 'whsk':
      return bytes.length === 2 * KEY_BYTES ? ed25519(bytes.subarray(KEY_BYTES)) : null
    default:
      return null
  }
}

function hmac(key: Buffer): SignatureScheme {
  return {
    version: 'v1',
    fits: (content, signature) => {
      const expected = createHmac('sha256', key).update(content).digest()
      return expected.length === signature.length && timingSafeEqual(expected, signature)
    },
  }
}

function ed25519(publicKey: Buffer): SignatureScheme {
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
  })
  return { version: 'v1a', fits: (content, signature) => verify(null, content, key, signature) }
}
