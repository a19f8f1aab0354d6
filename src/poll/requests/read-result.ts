import type { Exchange, Validator } from '../../model/exchange.ts'
import type { Outcome } from '../../platform/outcome.ts'
import { lacksOurs } from './health.ts'
import type { Refusal } from './limiter.ts'

/** What came of reading something. */
export type ReadResult<T> =
  /** `value` is null where the platform answered that there is nothing (404). */
  | {
      readonly kind: 'read'
      readonly value: T | null
      readonly exchange: Exchange
      /** By what the same answer is known again; null where nothing can tell. */
      readonly validator: Validator | null
    }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /**
       * `rejected`: a record that cannot be understood; `refused`: not for this key; `namesake`: another record of the reference;
       * `trouble`: asking again may help.
       */
      readonly why: 'rejected' | 'refused' | 'namesake' | 'trouble'
      /** The exchange; null: the platform was not asked. */
      readonly exchange: Exchange | null
    }

/** Whether the platform was asked and failed. What lacks here is no failure: to ask again at once would need it, too. */
export function isFailure(outcome: Outcome<unknown> | Refusal): boolean {
  return outcome.kind === 'broken' || (outcome.kind === 'unreachable' && !lacksOurs(outcome))
}

/** What an outcome is to who reads, once it is not asked again. */
export function readResult<T>(outcome: Outcome<T> | Refusal): ReadResult<T> {
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'read', value: outcome.value, exchange: outcome.exchange, validator: outcome.validator ?? null }
    case 'empty':
    case 'not_found':
      return { kind: 'read', value: null, exchange: outcome.exchange, validator: null }
    case 'rejected':
      return { ...failed(outcome), why: 'rejected' }
    case 'unauthorized':
      return { ...failed(outcome), why: outcome.exchange.status === 403 ? 'refused' : 'trouble' }
    case 'deferred':
      return { kind: 'failed', reason: outcome.reason, why: 'trouble', exchange: null }
    case 'broken':
    case 'throttled':
    case 'unreachable':
      return { ...failed(outcome), ...(isFailure(outcome) ? {} : { exchange: null }), why: 'trouble' }
    default:
      return outcome satisfies never
  }
}

function failed({ reason, exchange }: { readonly reason: string; readonly exchange: Exchange }) {
  return { kind: 'failed', reason, exchange } as const
}
