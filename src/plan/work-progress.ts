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

/** Work under way, by when it has begun. */
export interface Begun {
  readonly at: number
}

/** How something goes that is done again and again, one time after the other or several at once: whether it comes through. */
export class WorkProgress {
  readonly #begun = new Set<Begun>()
  #failing: (Stall & { readonly wasSilent: boolean }) | null = null

  begun(at: number): Begun {
    const work = { at }
    this.#begun.add(work)
    return work
  }

  /** Work has come through; left out: all that was begun. */
  done(work?: Begun): void {
    this.#end(work)
    this.#failing = null
  }

  /** Work has failed; left out: all that was begun. */
  failed(at: number, error: string, work?: Begun): void {
    const begunAt = work?.at ?? this.#oldest
    const { since = begunAt ?? at, wasSilent = false } = this.#failing ?? {}
    const isSilent = begunAt !== null && at - begunAt >= SILENT_MS
    this.#failing = { since, error, wasSilent: wasSilent || isSilent }
    this.#end(work)
  }

  #end(work: Begun | undefined): void {
    if (work === undefined) this.#begun.clear()
    else this.#begun.delete(work)
  }

  get #oldest(): number | null {
    const [first] = this.#begun
    return first?.at ?? null
  }

  /** What stalls the work; null: it comes through, or has not failed for long. */
  stall(now: number): Stall | null {
    const failing = this.#failing
    if (failing !== null && (failing.wasSilent || now - failing.since >= FAILING_MS)) return failing
    const oldest = this.#oldest
    return oldest === null || now - oldest < SILENT_MS ? null : { since: oldest, error: null }
  }
}
