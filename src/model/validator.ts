/** By what the same answer is known again. */
export interface Validator {
  /** Of the body's bytes as they came, content decoding undone. */
  readonly contentHash: string
  /** As sent; null where the answer had none. */
  readonly etag: string | null
}
