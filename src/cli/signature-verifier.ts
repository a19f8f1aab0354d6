import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { Webhook } from 'svix'

type Headers = Readonly<Record<string, string>>

/** Whether a request is signed with a key of Standard Webhooks, and not older or newer than 5 minutes. */
export type SignatureVerifier = (body: string, headers: Headers) => boolean

const TOLERANCE_S = 5 * 60
/** SPKI of an ed25519 key is this and its 32 bytes (RFC 8410 section 4). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** `whsec_…` checks `v1`, `whpk_…` checks `v1a`. Throws where it is neither. */
export function createVerifier(secret: string, now: () => number): SignatureVerifier {
  if (!secret.startsWith('whpk_')) return symmetric(new Webhook(secret))
  const raw = Buffer.from(secret.slice('whpk_'.length), 'base64')
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
  return (body, headers) => isRecent(headers, now()) && isSigned(key, body, headers)
}

function symmetric(webhook: Webhook): SignatureVerifier {
  return (body, headers) => {
    try {
      webhook.verify(body, headers)
      return true
    } catch {
      return false
    }
  }
}

function isRecent(headers: Headers, now: number): boolean {
  return Math.abs(Number(headers['webhook-timestamp']) - now / 1_000) <= TOLERANCE_S
}

function isSigned(key: KeyObject, body: string, headers: Headers): boolean {
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'))
  return signatures.some((each) => verify(null, content, key, Buffer.from(each.slice('v1a,'.length), 'base64')))
}
