import type { Validator } from '../model/exchange.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCipheriv, createSecretKey, type CipherGCM, type KeyObject } from 'node:crypto'
import { header } from '../http/exchange.ts'
import { declaredCharset, type PlatformAnswer } from './answer.ts'

const NOT_MODIFIED = 304

/** An entity tag as the standard writes it, and short enough to be sent back with every request. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,500}"$/

/** What identifies the answer; null where that takes a whole body, and there is none. */
export function validatorOf(answer: PlatformAnswer): Validator | null {
  if (answer.status !== 200) return null
  const hash = openHash()
  for (const chunk of answer.chunks) hash.setAAD(chunk)
  return { contentHash: contentHashOf(answer, hash), etag: etagOf(answer) }
}

const HASHED_AT_ONCE = 4 * 1024 * 1024

/** What identifies a large answer (`validatorOf`), with turns for everybody else between. */
export async function validatorInTurns(answer: PlatformAnswer): Promise<Validator | null> {
  if (answer.status !== 200) return null
  const hash = openHash()
  let bytes = 0
  for (const chunk of answer.chunks) {
    hash.setAAD(chunk)
    bytes += chunk.length
    if (bytes < HASHED_AT_ONCE) continue
    bytes = 0
    await nextTurn()
  }
  return { contentHash: contentHashOf(answer, hash), etag: etagOf(answer) }
}

/** Ends the hash of an answer by its bytes and its charset: in another charset the same bytes are another answer. */
function contentHashOf({ headers }: PlatformAnswer, hash: CipherGCM): string {
  hash.final()
  const text = hash.getAuthTag().toString('base64url')
  const charset = declaredCharset(headers)
  return charset === 'utf-8' ? text : `${text} ${charset}`
}

/** The validator of an answer that shows what is known already: the same bytes, or 304 to the ETag that was asked with. */
export function sameValidator(
  answer: PlatformAnswer,
  validator: Validator | null,
  known: Validator | null,
): Validator | null {
  if (known === null) return null
  if (answer.status === NOT_MODIFIED && known.etag !== null) return known
  return validator?.contentHash === known.contentHash ? validator : null
}

function etagOf({ headers }: PlatformAnswer): string | null {
  const etag = header(headers, 'etag')
  return ENTITY_TAG.test(etag) ? etag : null
}

/**
 * Key and nonce of the digests. Neither is a secret: a platform that made two bodies of one digest would deceive nobody but
 * its own readers.
 */
const KEY = 'shipbell-digests'
const NONCE = Buffer.alloc(12)

let key: KeyObject | null = null

/**
 * Makes 128 bits that tell bodies apart: GMAC, the authenticator of AES-GCM. Processors have instructions for it, so that it costs
 * a fifth of the SHA-256 of the same bytes. Chunks go in by `setAAD`; where a body is cut into them makes no difference.
 */
function openHash(): CipherGCM {
  key ??= createSecretKey(KEY, 'latin1')
  return createCipheriv('aes-128-gcm', key, NONCE)
}
