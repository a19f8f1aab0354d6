import type { DeliveryState } from '../model/delivery.ts'
import { type EndpointSwitches, isOpen } from './endpoint-state.ts'

/** A row that a command asks for, with its endpoint's switches. */
export interface AskedRow extends EndpointSwitches {
  readonly state: DeliveryState
  /** 1: of a test event. */
  readonly test: number
  /** When the payload of its event expired; null: it can be sent. */
  readonly expired_at: number | null
}

/** What a command that asks for a row at `at` makes of it, beside `RETRIED`. */
export interface Retried {
  readonly state: 'pending' | 'held'
  readonly next_attempt_at: number | null
}

/** What every row is then that a command asked for: at the begin of its schedule. One that is under way is due again when that ends. */
export const RETRIED = { round: 0, finished_at: null, not_before: null, resumes_at: null, wake_at: null } as const

/**
 * A row is due at once. Where its endpoint is shut, it is held and sent once that opens; a test's is due all the same. null: it is left
 * alone: it was delivered (unless those too are asked for), or its payload has expired.
 */
export function retry(
  row: AskedRow,
  { at, delivered }: { readonly at: number; readonly delivered: boolean },
): Retried | null {
  if (row.expired_at !== null || (row.state === 'delivered' && !delivered)) return null
  if (row.test === 1 || isOpen(row)) return { state: 'pending', next_attempt_at: at }
  return { state: 'held', next_attempt_at: null }
}
