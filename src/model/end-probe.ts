/** A request beyond a list's end, which showed nothing that was new. */
export interface EndProbe {
  /** When the request was sent, or its answer was made, where that is known to be older. */
  readonly at: number
  readonly skip: number
}
