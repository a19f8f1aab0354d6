/** By what the same answer is known again. */
export interface Mark {
  /** Of the body's bytes as they came, content decoding undone. */
  readonly digest: string
  /** As sent; null where the answer had none. */
  readonly etag: string | null
}
