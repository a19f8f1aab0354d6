/** One request and its answer, as the wire saw it. Instants are milliseconds since the Unix epoch. */
export interface Exchange {
  readonly method: string
  /** The path with its query, as sent: `/v1/shipments?skip=100&take=100`. */
  readonly path: string
  readonly sentAt: number
  /** When the whole answer had arrived, or the attempt ended without one. */
  readonly answeredAt: number
  /** The status of the answer; null where none arrived. */
  readonly status: number | null
  readonly bytes: number
  /** How old the answer was when the request was sent, at least; left out where nothing says that it was not new. */
  readonly ageMs?: number
  /** What the platform's clock said as the answer came, by its `Date` and `Age`; left out: it did not say. */
  readonly platformClock?: number
}

/** By what the same answer is known again. */
export interface Validator {
  /** The hash of the body's bytes as they came, content decoding undone. */
  readonly contentHash: string
  /** The ETag as sent; null where the answer had none. */
  readonly etag: string | null
}
