import type { Mark } from '../model/mark.ts'
import { header } from '../http/exchange.ts'
import type { Answer } from './answer.ts'
import { digestOf } from './digest-of.ts'

const NOT_MODIFIED = 304

/** An entity tag as the standard writes it, and short enough to be sent back with every request. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,500}"$/

/** By what the answer is known again; null where only a whole body could tell, and there is none. */
export function markOf(answer: Answer): Mark | null {
  return answer.status === 200 ? { digest: digestOf(answer.chunks), etag: etagOf(answer) } : null
}

/** The mark of an answer that shows what is known already: the same bytes, or 304 to the ETag that was asked with. */
export function sameMark(answer: Answer, mark: Mark | null, known: Mark | null): Mark | null {
  if (known === null) return null
  if (answer.status === NOT_MODIFIED && known.etag !== null) return known
  return mark?.digest === known.digest ? mark : null
}

function etagOf({ headers }: Answer): string | null {
  const etag = header(headers, 'etag')
  return ENTITY_TAG.test(etag) ? etag : null
}
