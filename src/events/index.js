// Standard Webhooks (https://www.standardwebhooks.com) on WebCrypto alone: Node, Deno, Bun and workers have it.

/** @import * as Types from './index.d.ts' */

export { completeness } from './completeness.js'

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
/** What a sender can make us compute is bounded. */
const MOST_SIGNATURES = 32
/** PKCS #8 of an ed25519 key is this and its seed (RFC 8410). */
const PKCS8 = '302e020100300506032b657004220420'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const ED25519 = { name: 'Ed25519' }

export class SignatureError extends Error {
  /**
   * @param {Types.SignatureError['reason']} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(message)
    this.name = 'SignatureError'
    this.reason = reason
  }
}

/** @type {typeof Types.verify} */
export const verify = async (headers, body, secrets, { toleranceSeconds = 300 } = {}) => {
  const keys = await Promise.all([secrets].flat().map(verifier))
  if (keys.length === 0) throw new TypeError('There is no secret to verify with.')
  const [id = '', timestamp = '', signatures = ''] = NAMES.map((name) => required(headers, name))
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureError('malformed', 'webhook-timestamp is no number of seconds.')
  if (!signatures.includes(',')) throw new SignatureError('malformed', 'webhook-signature holds no signature.')
  const age = Math.floor(Date.now() / 1000) - Number(timestamp)
  if (!(Math.abs(age) <= toleranceSeconds))
    throw new SignatureError('expired', `It was signed ${age} seconds ago, ${toleranceSeconds} are allowed.`)
  const content = contentOf(id, timestamp, body)
  for (const each of signatures.split(' ').slice(0, MOST_SIGNATURES)) {
    const [version, text = ''] = each.split(',', 2)
    const signature = decoded(text)
    for (const key of keys) {
      if (signature === null || key.version !== version) continue
      // Compares in constant time.
      if (await crypto.subtle.verify(key.algorithm, key.key, signature, content)) return eventOf(body)
    }
  }
  throw new SignatureError('no_match', 'No signature fits: another secret signed it, or it was altered on the way.')
}

/** @type {typeof Types.sign} */
export const sign = async (secret, { id, timestamp, body }) => {
  const { version, algorithm, key } = await signer(secret)
  const seconds = String(Math.floor(timestamp))
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, contentOf(id, seconds, body)))
  const text = btoa(String.fromCharCode(...signature))
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `${version},${text}` }
}

/**
 * @param {Types.HeadersLike} headers
 * @param {string} name
 */
function required(headers, name) {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  if (value === undefined || value === null || value === '')
    throw new SignatureError('missing_header', `${name} is missing.`)
  if (typeof value !== 'string') throw new SignatureError('malformed', `${name} is there more than once.`)
  return value
}

/** @param {string} secret */
async function verifier(secret) {
  const [kind, bytes] = partsOf(secret)
  if (kind === 'whsec' && bytes.length > 0) return hmac(bytes, 'verify')
  if (kind !== 'whpk' || bytes.length !== 32) throw new TypeError('A secret must be whsec_… or whpk_… (32 bytes).')
  const key = await crypto.subtle.importKey('raw', bytes, ED25519, false, ['verify'])
  return { version: 'v1a', algorithm: ED25519, key }
}

/** @param {string} secret */
async function signer(secret) {
  const [kind, bytes] = partsOf(secret)
  if (kind === 'whsec' && bytes.length > 0) return hmac(bytes, 'sign')
  if (kind !== 'whsk' || bytes.length !== 64) throw new TypeError('A secret must be whsec_… or whsk_… (64 bytes).')
  const pkcs8 = joined(
    Uint8Array.from(PKCS8.match(/../g) ?? [], (hex) => parseInt(hex, 16)),
    bytes.subarray(0, 32),
  )
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, ED25519, false, ['sign'])
  return { version: 'v1a', algorithm: ED25519, key }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {'sign' | 'verify'} use
 */
async function hmac(bytes, use) {
  return { version: 'v1', algorithm: HMAC, key: await crypto.subtle.importKey('raw', bytes, HMAC, false, [use]) }
}

/**
 * @param {string} secret
 * @returns {[string, Uint8Array<ArrayBuffer>]}
 */
function partsOf(secret) {
  const [, kind = '', text = ''] = /^(whsec|whpk|whsk)_(.+)$/.exec(secret) ?? []
  return [kind, decoded(text) ?? new Uint8Array()]
}

/** @param {string} text */
function decoded(text) {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  return isBase64 ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) : null
}

/**
 * @param {string} id
 * @param {string} timestamp
 * @param {Types.Body} body
 */
function contentOf(id, timestamp, body) {
  return joined(bytesOf(`${id}.${timestamp}.`), bytesOf(body))
}

/** @param {Types.Body} body */
function bytesOf(body) {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof Uint8Array ? body : new Uint8Array(body)
}

/**
 * @param {Uint8Array} head
 * @param {Uint8Array} rest
 */
function joined(head, rest) {
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

/**
 * @param {Types.Body} body
 * @returns {Types.ShipbellEvent}
 */
function eventOf(body) {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(body)))
    if (typeof event?.type === 'string') return event
  } catch {}
  throw new SignatureError('malformed', 'The body is no event.')
}
