/** What must have rung, and what must not have happened. */
export class Tally {
  #expected: string[] = []
  #violations: string[] = []

  expect(key: string, events: readonly string[]): void {
    for (const event of events) this.#expected.push(`${key}: ${event}`)
  }

  complain(...complaints: readonly string[]): void {
    this.#violations.push(...complaints)
  }

  /** Since the last time. */
  take(): { readonly expected: readonly string[]; readonly violations: readonly string[] } {
    const taken = { expected: this.#expected, violations: this.#violations }
    this.#expected = []
    this.#violations = []
    return taken
  }
}
