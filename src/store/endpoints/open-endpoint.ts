/** `isOpen` of `ledger/endpoint-state.ts` as a condition over a row of `endpoints`, where a statement asks it of many. */
export const IS_OPEN = 'configured = 1 AND enabled = 1 AND disabled_at IS NULL'
/** Likewise that its `gateOf` is not `shut`. */
export const IS_SENDING = `${IS_OPEN} AND queued_to IS NULL`
/** Likewise its `isSteady`. */
export const IS_STEADY =
  'failures_in_row = 0 AND failing_since IS NULL AND failing_for = 0 AND exhausted_since IS NULL AND last_error IS NULL'
