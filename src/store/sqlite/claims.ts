/** A delivery that is being sent, as it was when it was claimed. */
export interface Claim {
  readonly id: string
  readonly ref: number
  /** The `ref` of its event. */
  readonly event: number
  readonly subscription: string
  readonly lane: number
  /** 1: of a test event, which says nothing about the health of an endpoint: neither its success nor its failure is counted, nor its 410. */
  readonly test: number
  readonly next_attempt_at: number | null
}

/** By whom, when by the wall clock, and until when in steady time nobody else may have it. */
export interface Claiming {
  readonly owner: string
  readonly at: number
  readonly until: number
}

export type HeldClaim = Claim & Claiming

/**
 * What is under way, of a store that is a file: in memory, because only the process that holds the store's lock sends, and its
 * claims end with it. A row that is claimed stays as it is until its outcome is written.
 *
 * Change it only for what a transaction has committed.
 */
export class Claims {
  readonly #byId = new Map<string, HeldClaim>()
  readonly #bySubscription = new Map<string, Map<number, HeldClaim>>()

  take(claims: readonly Claim[], claiming: Claiming): void {
    for (const claim of claims) {
      const held = { ...claim, ...claiming }
      this.#byId.set(claim.id, held)
      this.#of(claim.subscription).set(claim.ref, held)
    }
  }

  /** null: `owner` does not hold it, or no longer. */
  heldBy(owner: string, id: string): HeldClaim | null {
    const claim = this.#byId.get(id)
    return claim?.owner === owner ? claim : null
  }

  end(claims: Iterable<HeldClaim>): void {
    for (const { id, ref, subscription } of claims) {
      this.#byId.delete(id)
      this.#of(subscription).delete(ref)
    }
  }

  endAll(): void {
    this.#byId.clear()
    this.#bySubscription.clear()
  }

  get amount(): number {
    return this.#byId.size
  }

  amountOf(subscription: string): number {
    return this.#of(subscription).size
  }

  /** Also where its time has run out, and nobody else took it. */
  isClaimed(subscription: string, ref: number): boolean {
    return this.#of(subscription).has(ref)
  }

  /** Whether nobody else may have this row now. */
  isUnderWay(subscription: string, ref: number, now: number): boolean {
    return (this.#of(subscription).get(ref)?.until ?? now) > now
  }

  /** Of which lanes a row is under way. */
  lanesOf(subscription: string, now: number): Set<number> {
    const lanes = new Set<number>()
    for (const { lane, until } of this.#of(subscription).values()) if (until > now) lanes.add(lane)
    return lanes
  }

  /** When the first of them ends; null: there is none. */
  endOf(subscription: string, { testsOnly }: { readonly testsOnly: boolean }): number | null {
    let first: number | null = null
    for (const { test, until } of this.#of(subscription).values())
      if ((test === 1 || !testsOnly) && (first === null || until < first)) first = until
    return first
  }

  hasEvent(ref: number): boolean {
    for (const { event } of this.#byId.values()) if (event === ref) return true
    return false
  }

  #of(subscription: string): Map<number, HeldClaim> {
    let claims = this.#bySubscription.get(subscription)
    if (claims === undefined) {
      claims = new Map()
      this.#bySubscription.set(subscription, claims)
    }
    return claims
  }
}
