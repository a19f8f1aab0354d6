/** The resolver of the process, once it was made. What ends the process knows it without loading it. */
let resolver: { cancel(): void } | null = null

/** From then on `cancelLookups` ends what this resolver asks. */
export function noteResolver(made: NonNullable<typeof resolver>): void {
  resolver = made
}

/** Ends, for good, the look-ups that would keep a process alive that has nothing else to do. */
export function cancelLookups(): void {
  resolver?.cancel()
}
