import { createCipheriv } from 'node:crypto'

/** Neither is a secret: a platform that made two bodies of one digest would deceive nobody but its own readers. */
const KEY = Buffer.alloc(16, 'shipbell')
const NONCE = Buffer.alloc(12)

/**
 * 128 bits that tell bodies apart: GMAC, the authenticator of AES-GCM. Processors have instructions for it, so that it costs
 * a fifth of the SHA-256 of the same bytes. Where a body is cut into chunks makes no difference.
 */
export function digestOf(chunks: readonly Buffer[]): string {
  const cipher = createCipheriv('aes-128-gcm', KEY, NONCE)
  for (const chunk of chunks) cipher.setAAD(chunk)
  cipher.final()
  return cipher.getAuthTag().toString('base64url')
}
