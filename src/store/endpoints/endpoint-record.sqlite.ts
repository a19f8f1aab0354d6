import type { Attempt } from '../../model/delivery.ts'
import { FAILING_FROM } from '../../model/endpoint.ts'
import type { Connection } from '../file/connection.ts'

const SUCCEEDED = `
  UPDATE endpoints SET failures_in_row = 0, failing_since = NULL, failing_for = 0, exhausted_since = NULL,
    last_error = NULL, last_success_at = :at,
    recovering = CASE WHEN failures_in_row >= ${FAILING_FROM} THEN 1 ELSE recovering END
  WHERE subscription = :subscription`
// Attempts under way at once may end in another order than they began.
const FAILED = `
  UPDATE endpoints SET failures_in_row = failures_in_row + 1,
    failing_for = failing_for
      + CASE WHEN failing_since IS NULL THEN 0 ELSE max(0, min(:steadyAt - ifnull(failed_at, :steadyAt), :longest)) END,
    failed_at = CASE WHEN failing_since IS NULL THEN :steadyAt ELSE max(ifnull(failed_at, :steadyAt), :steadyAt) END,
    failing_since = min(ifnull(failing_since, :at), :at),
    last_failure_at = max(ifnull(last_failure_at, :at), :at), last_error = ifnull(:error, ''),
    recovering = CASE WHEN failures_in_row + 1 >= ${FAILING_FROM} THEN 0 ELSE recovering END
  WHERE subscription = :subscription`
const EXHAUSTED =
  'UPDATE endpoints SET exhausted_since = ifnull(exhausted_since, :at) WHERE subscription = :subscription'

/**
 * Gathers how the attempts of a batch went, in their order, for the rows of their endpoints. Of successes in a row only the last
 * one shows, so it alone is written. Within one transaction, which ends with `write`.
 */
export class EndpointRecord {
  readonly #db: Connection
  readonly #lastSuccess = new Map<string, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  succeeded(subscription: string, { at }: Attempt): void {
    this.#lastSuccess.set(subscription, at)
  }

  /** An attempt made at `steadyAt`. Since the failure before it at most `longest` counts as time in which attempts failed. */
  failed(
    subscription: string,
    { at, error }: Attempt,
    gap: { readonly steadyAt: number; readonly longest: number },
  ): void {
    this.#writeSuccess(subscription)
    this.#db.run(FAILED, { at, ...gap, subscription, error })
  }

  exhausted(subscription: string, at: number | null): void {
    this.#writeSuccess(subscription)
    this.#db.run(EXHAUSTED, { at, subscription })
  }

  write(): void {
    for (const subscription of this.#lastSuccess.keys()) this.#writeSuccess(subscription)
  }

  #writeSuccess(subscription: string): void {
    const at = this.#lastSuccess.get(subscription)
    if (at === undefined) return
    this.#lastSuccess.delete(subscription)
    this.#db.run(SUCCEEDED, { at, subscription })
  }
}
