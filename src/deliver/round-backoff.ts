const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/**
 * How long the loop rests after rounds that failed. Others may wake it, and it fails again then: what fails before a pause is over
 * counts once with what began it.
 */
export class RoundBackoff {
  #failures = 0
  #until = 0

  /** By the steady clock. `isFirst`: it began this pause. */
  failed(now: number): { readonly waitMs: number; readonly isFirst: boolean } {
    if (now < this.#until) return { waitMs: this.#until - now, isFirst: false }
    const waitMs = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS)
    this.#failures += 1
    this.#until = now + waitMs
    return { waitMs, isFirst: true }
  }

  isPause(now: number): boolean {
    return now < this.#until
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}
