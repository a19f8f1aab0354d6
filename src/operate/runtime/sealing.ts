import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Stands in front of what is sealed: another way to seal gets another one. */
const VERSION = '1.'

/**
 * AES-256-GCM with a nonce of its own each time. What is sealed is bound to the name of its subscription: under another name it does not
 * open, so nobody who can write the store can have one subscription sent what another one's secrets protect.
 */
export function seal(text: string, { key, name }: SealedBy): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64'), nonce)
  cipher.setAAD(boundTo(name))
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return VERSION + Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64')
}

/** Null: it was sealed with another key, for another name, or was changed. */
export function unseal(sealed: string, { key, name }: SealedBy): string | null {
  if (!sealed.startsWith(VERSION)) return null
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const cipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'base64'), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    cipher.setAAD(boundTo(name))
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return null
  }
}

interface SealedBy {
  /** 32 bytes in base64. */
  readonly key: string
  readonly name: string
}

function boundTo(name: string): Buffer {
  return Buffer.from(`shipbell runtime subscription ${name}`)
}

/** A new secret of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
