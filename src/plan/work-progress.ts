/** Longer than any answer of a store takes that comes, and shorter than a worker's leases last. */
const SILENT_MS = 12_000
/** After so long work that fails again and again is stalled. */
export const FAILING_MS = 60_000

/** Why nothing comes through. Instants are of the steady clock. */
export interface Stall {
  readonly since: number
  /** Why the work failed; null: it has begun, and does not end. */
  readonly error: string | null
}

/** How something goes that is done again and again, one time after the other: whether it comes through. */
export class WorkProgress {
  #begunAt: number | null = null
  #failing: (Stall & { readonly wasSilent: boolean }) | null = null

  begun(at: number): void {
    this.#begunAt = at
  }

  /** The work that was begun has come through. */
  done(): void {
    this.#begunAt = null
    this.#failing = null
  }

  failed(at: number, error: string): void {
    const { since = this.#begunAt ?? at, wasSilent = false } = this.#failing ?? {}
    const isSilent = this.#begunAt !== null && at - this.#begunAt >= SILENT_MS
    this.#failing = { since, error, wasSilent: wasSilent || isSilent }
    this.#begunAt = null
  }

  /** What stalls the work; null: it comes through, or has not failed for long. */
  stall(now: number): Stall | null {
    const failing = this.#failing
    if (failing !== null && (failing.wasSilent || now - failing.since >= FAILING_MS)) return failing
    if (this.#begunAt === null || now - this.#begunAt < SILENT_MS) return null
    return { since: this.#begunAt, error: null }
  }
}
