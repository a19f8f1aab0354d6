import type { Validator } from '../model/validator.ts'
import { header, type Answer } from './answer.ts'
import { answerHash } from './answer-hash.ts'

const NOT_MODIFIED = 304

/** An entity tag as the standard writes it, and short enough to be sent back with every request. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,500}"$/

/** By what the answer is known again; null where only a whole body could tell, and there is none. */
export function validatorOf(answer: Answer): Validator | null {
  return answer.status === 200 ? { contentHash: answerHash(answer.chunks), etag: etagOf(answer) } : null
}

/** The validator of an answer that shows what is known already: the same bytes, or 304 to the ETag that was asked with. */
export function sameValidator(answer: Answer, validator: Validator | null, known: Validator | null): Validator | null {
  if (known === null) return null
  if (answer.status === NOT_MODIFIED && known.etag !== null) return known
  return validator?.contentHash === known.contentHash ? validator : null
}

function etagOf({ headers }: Answer): string | null {
  const etag = header(headers, 'etag')
  return ENTITY_TAG.test(etag) ? etag : null
}
