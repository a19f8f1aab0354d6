import type { Validator } from '../model/exchange.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { header } from '../http/exchange.ts'
import { declaredCharset, type PlatformAnswer } from './answer.ts'

const NOT_MODIFIED = 304

/** An entity tag as the standard writes it, and short enough to be sent back with every request. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,500}"$/

/** What identifies the answer; null where that takes a whole body, and there is none. */
export function validatorOf(answer: PlatformAnswer): Validator | null {
  if (answer.status !== 200) return null
  const hash = new AnswerHash()
  for (const chunk of answer.chunks) hash.add(chunk)
  return { contentHash: contentHashOf(answer, hash), etag: etagOf(answer) }
}

const HASHED_AT_ONCE = 4 * 1024 * 1024

/** What identifies a large answer (`validatorOf`), with turns for everybody else between. */
export async function validatorInTurns(answer: PlatformAnswer): Promise<Validator | null> {
  if (answer.status !== 200) return null
  const hash = new AnswerHash()
  let bytes = 0
  for (const chunk of answer.chunks) {
    hash.add(chunk)
    bytes += chunk.length
    if (bytes < HASHED_AT_ONCE) continue
    bytes = 0
    await nextTurn()
  }
  return { contentHash: contentHashOf(answer, hash), etag: etagOf(answer) }
}

/** The hash of an answer by its bytes and its charset: in another charset the same bytes are another answer. */
function contentHashOf({ headers }: PlatformAnswer, hash: AnswerHash): string {
  const charset = declaredCharset(headers)
  return charset === 'utf-8' ? hash.text : `${hash.text} ${charset}`
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
 * 128 bits that tell bodies apart: GMAC, the authenticator of AES-GCM. Processors have instructions for it, so that it costs
 * a fifth of the SHA-256 of the same bytes. Where a body is cut into chunks makes no difference.
 */
class AnswerHash {
  readonly #cipher

  constructor() {
    key ??= createSecretKey(KEY, 'latin1')
    this.#cipher = createCipheriv('aes-128-gcm', key, NONCE)
  }

  add(chunk: Buffer): void {
    this.#cipher.setAAD(chunk)
  }

  /** To be asked for once. */
  get text(): string {
    this.#cipher.final()
    return this.#cipher.getAuthTag().toString('base64url')
  }
}
