import type { RequestResult } from '../../plan/backoff.ts'
import type { LoadSign } from '../../plan/ceiling.ts'
import type { Outcome } from '../../platform/outcome.ts'

export function loadSign(outcome: Outcome<unknown>, result: RequestResult): LoadSign {
  if (outcome.kind === 'throttled' || outcome.exchange.status === 503) return 'overload'
  return result === 'success' || result === 'declined' ? 'clean' : 'trouble'
}
