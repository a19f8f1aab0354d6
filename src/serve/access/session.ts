import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Session {
  /** Unguessable. */
  readonly id: string
  readonly expiresAt: number
}

/** The value of a cookie that only this token can have signed. */
export function signSession(token: string, expiresAt: number): string {
  const content = `${expiresAt}.${randomBytes(16).toString('base64url')}`
  return `${content}.${signatureOf(token, content)}`
}

/** The session that a token signed; null: this token did not sign it. Says nothing of whether it has expired. */
export function readSession(token: string, value: string): Session | null {
  const [, content = '', expires, id, signature = ''] = /^((\d{1,15})\.([\w-]{22}))\.([\w-]{43})$/.exec(value) ?? []
  if (id === undefined) return null
  const expected = Buffer.from(signatureOf(token, content))
  return timingSafeEqual(Buffer.from(signature), expected) ? { id, expiresAt: Number(expires) } : null
}

/** Cookies are shared by all ports of a host: each Shipbell there, and each role, has a name of its own. */
export function sessionName(token: string): string {
  return `shipbell_${keyOf(token, 'name').toString('hex').slice(0, 8)}`
}

function signatureOf(token: string, content: string): string {
  return createHmac('sha256', keyOf(token, 'signature')).update(content).digest('base64url')
}

function keyOf(token: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', `shipbell session ${purpose}`, 32))
}
