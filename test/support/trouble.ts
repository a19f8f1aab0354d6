import type { Exchange } from '../../src/model/exchange.ts'
import { broken, type Failure, type Outcome } from '../../src/platform/outcome.ts'

/** What goes wrong with a request. `garbled`: the answer is no JSON. */
export type Trouble =
  | { readonly kind: 'unauthorized' | 'forbidden' | 'rejected' | 'broken' | 'garbled' | 'unreachable' }
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
    default:
      return trouble satisfies never
  }
}
