import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'

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
