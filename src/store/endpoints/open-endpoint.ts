/** `isOpen` of `ledger/endpoint-state.ts` as a condition over a row of `endpoints`, where a statement asks it of many. */
export const IS_OPEN = 'configured = 1 AND enabled = 1 AND disabled_at IS NULL'
/** Likewise that its `gateOf` is not `shut`. */
export const IS_SENDING = `${IS_OPEN} AND queued_to IS NULL`
