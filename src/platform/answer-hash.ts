import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'

/** Neither is a secret: a platform that made two bodies of one digest would deceive nobody but its own readers. */
const KEY = 'shipbell-digests'
const NONCE = Buffer.alloc(12)

let key: KeyObject | null = null

/**
 * 128 bits that tell bodies apart: GMAC, the authenticator of AES-GCM. Processors have instructions for it, so that it costs
 * a fifth of the SHA-256 of the same bytes. Where a body is cut into chunks makes no difference.
 */
export function answerHash(chunks: readonly Buffer[]): string {
  key ??= createSecretKey(KEY, 'latin1')
  const cipher = createCipheriv('aes-128-gcm', key, NONCE)
  for (const chunk of chunks) cipher.setAAD(chunk)
  cipher.final()
  return cipher.getAuthTag().toString('base64url')
}
