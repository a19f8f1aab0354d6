import type { Exchange } from '../../src/model/exchange.ts'
import { broken, type Failure, type Outcome } from '../../src/platform/outcome.ts'

/** What goes wrong with a request. `garbled`: the answer is no JSON; `lacking`: no descriptor was left to ask. */
export type Trouble =
  | { readonly kind: 'unauthorized' | 'forbidden' | 'rejected' | 'broken' | 'garbled' | 'unreachable' | 'lacking' }
  | { readonly kind: 'throttled' | 'busy'; readonly retryAfterMs: number | null }

/** What the client makes of it. */
export function outcomeOf(
  trouble: Trouble,
  exchange: Exchange,
): Failure | Extract<Outcome<never>, { kind: 'rejected' }> {
  switch (trouble.kind) {
    case 'rejected':
      return { kind: 'rejected', reason: 'the record cannot be used', exchange }
    case 'forbidden':
      return { kind: 'unauthorized', reason: 'this record is not yours (403)', exchange: { ...exchange, status: 403 } }
    case 'unauthorized':
      return { kind: 'unauthorized', reason: 'the key was refused (401)', exchange: { ...exchange, status: 401 } }
    case 'throttled':
      return {
        kind: 'throttled',
        reason: 'too many requests',
        retryAfterMs: trouble.retryAfterMs,
        exchange: { ...exchange, status: 429 },
      }
    case 'busy':
      return broken('the platform answered 503', { ...exchange, status: 503 }, trouble.retryAfterMs)
    case 'broken':
      return broken('the platform answered 500', { ...exchange, status: 500 })
    case 'garbled':
      return broken('no JSON', exchange)
    case 'unreachable':
      return { kind: 'unreachable', reason: 'connection refused', exchange: { ...exchange, status: null } }
    case 'lacking': {
      const asked = { ...exchange, status: null }
      return { kind: 'unreachable', reason: 'no descriptor left', exchange: asked, lacks: 'descriptors' }
    }
    default:
      return trouble satisfies never
  }
}
