/** Why something was read just then. It explains and decides nothing. */
export type ReadReason =
  /** Nothing had been read of it before. */
  | { readonly kind: 'first' }
  /** It may go unread no longer: `every`, as it held then, which is longer where the budget does not cover all promises. */
  | { readonly kind: 'promise'; readonly everyMs: number }
  /** So many changes were to be expected since its last read that it was worth a request that nothing else needed. */
  | { readonly kind: 'likely'; readonly expected: number; readonly waitedMs: number }
  /** The row of its shipment had just changed. */
  | { readonly kind: 'announced' }
  /** A command read everything. */
  | { readonly kind: 'once' }
