import type { SendingEndpoint, SendingRow } from '../../src/ledger/settle.ts'

/** An endpoint that is open, and of which nothing is known. */
export const FRESH_ENDPOINT = {
  configured: 1,
  enabled: 1,
  queued_to: null,
  disabled_reason: null,
  disabled_at: null,
  disabled_by: null,
  failures_in_row: 0,
  failing_since: null,
  failing_for: 0,
  failed_at: null,
  exhausted_since: null,
  last_failure_at: null,
  last_success_at: null,
  last_error: null,
  recovering: 0,
} satisfies SendingEndpoint & { queued_to: null }

/** A row that was due at `at`, and has been claimed. */
export function freshRow(at: number): SendingRow {
  return {
    state: 'pending',
    next_attempt_at: at,
    wake_at: null,
    finished_at: null,
    attempts: 0,
    round: 0,
    last_status: null,
    last_error: null,
    not_before: null,
    resumes_at: null,
    test: 0,
  }
}
