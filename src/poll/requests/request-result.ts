import type { RequestResult } from '../../plan/backoff.ts'
import type { Outcome } from '../../platform/outcome.ts'

export interface Blamed {
  /** A refused item (403) says nothing of others; a refused list does. */
  readonly of: 'list' | 'item'
  /**
   * Whose the failure of an item or page is. `item`: it is known to fail alone. `platform`: no item of its resource answers, so it
   * counts as any other. `unknown` (left out): of an item nobody's, but while the account is in trouble already; of a page the
   * platform's. `page`: the account is left alone as after any failure, and `confirm` says whether it counts as one of the account.
   */
  readonly blame?: 'item' | 'page' | 'platform' | 'unknown'
}

/** What this process or machine lacks says nothing of the platform. */
export function lacksOurs(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'unreachable' && outcome.lacks !== undefined
}

/** What an outcome says about the platform and the account, whatever it says about the item asked for. */
export function resultOf(
  outcome: Outcome<unknown>,
  { blame, isCalm, of }: Required<Blamed> & { readonly isCalm: boolean },
): RequestResult {
  const isItsOwn = blame === 'item' || (of === 'item' && blame === 'unknown' && isCalm)
  switch (outcome.kind) {
    case 'ok':
    case 'empty':
    case 'not_found':
    case 'rejected':
      return 'success'
    case 'throttled':
      return 'throttled'
    case 'unauthorized':
      return of === 'item' && outcome.exchange.status === 403 ? 'declined' : 'refused'
    case 'broken':
      // What the platform asks to wait holds for all that is asked of it.
      if (of === 'item' && outcome.retryAfterMs !== null) return 'throttled'
      return isItsOwn && outcome.retryAfterMs === null ? 'declined' : 'failure'
    case 'unreachable':
      return isItsOwn || lacksOurs(outcome) ? 'declined' : 'failure'
    default:
      return outcome satisfies never
  }
}
