/** `isOpen` of `ledger/endpoint-state.ts` as a condition over a row of `endpoints`, where a statement asks it of many. */
export const IS_OPEN = 'configured = 1 AND enabled = 1 AND disabled_at IS NULL'
/** Whether the `gateOf` of an endpoint is not `shut`, as such a condition. */
export const IS_SENDING = `${IS_OPEN} AND queued_to IS NULL`
/** `isSteady` of an endpoint, as such a condition. */
export const IS_STEADY =
  'failures_in_row = 0 AND failing_since IS NULL AND failing_for = 0 AND exhausted_since IS NULL AND last_error IS NULL'
