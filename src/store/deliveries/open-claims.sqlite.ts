/** What a delivery was when it was claimed. */
export interface Claim {
  readonly id: string
  readonly ref: number
  /** The `ref` of its event. */
  readonly event: number
  readonly subscription: string
  readonly lane: number
  /** 1: of a test event, which says nothing about an endpoint's health: neither its success nor its failure is counted, nor its 410. */
  readonly test: number
  readonly next_attempt_at: number | null
}

/** A delivery that is being sent. */
export interface OpenClaim extends Claim {
  readonly owner: string
  /** When it was claimed, by the wall clock. */
  readonly at: number
  /** When it runs out: nobody else may have the row before, in steady time. */
  readonly until: number
}

/** A row as far as it decides whether it may be claimed. */
export interface RowInLane {
  readonly ref: number
  readonly lane: number
  /** The turn of the row; null: its subscription has no order. */
  readonly turn: number | null
}

/**
 * What is under way, of a store that is a file: in memory, because only the process that holds the store's lock sends, and its
 * claims end with it. A row that is claimed stays as it is until its outcome is written.
 *
 * Change it only for what a transaction has committed.
 */
export class OpenClaims {
  readonly #byId = new Map<string, OpenClaim>()
  readonly #bySubscription = new Map<string, Map<number, OpenClaim>>()

  take(claims: readonly Claim[], claiming: Pick<OpenClaim, 'owner' | 'at' | 'until'>): void {
    for (const claim of claims) {
      const open = { ...claim, ...claiming }
      this.#byId.set(claim.id, open)
      this.#of(claim.subscription).set(claim.ref, open)
    }
  }

  /** The claim of a delivery that `owner` holds; null: `owner` does not hold it, or no longer. */
  heldBy(owner: string, id: string): OpenClaim | null {
    const claim = this.#byId.get(id)
    return claim?.owner === owner ? claim : null
  }

  end(claims: Iterable<OpenClaim>): void {
    for (const { id, ref, subscription } of claims) {
      this.#byId.delete(id)
      this.#of(subscription).delete(ref)
    }
  }

  /** Ends the claims of `owner` but for those in `kept`; returns how many it ended. */
  endOthers(owner: string, kept: ReadonlySet<string>): number {
    const others = [...this.#byId.values()].filter((claim) => claim.owner === owner && !kept.has(claim.id))
    this.end(others)
    return others.length
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

  of(subscription: string): Iterable<OpenClaim> {
    return this.#of(subscription).values()
  }

  /** Whether there is a claim of the row, also one that has run out where nobody else took the row. */
  has(subscription: string, ref: number): boolean {
    return this.#of(subscription).has(ref)
  }

  /** Whether nobody else may have this row now. */
  isUnderWay(subscription: string, ref: number, now: number): boolean {
    return (this.#of(subscription).get(ref)?.until ?? now) > now
  }

  /**
   * Whether another row of its lane is under way, even where that one's time has run out: who sends it may have stood still. The row
   * that has the turn is not always the one under way: that may have been discarded meanwhile, or a command asked for an older one.
   */
  waitsInLane(subscription: string, { lane, ref, turn }: RowInLane): boolean {
    if (turn === null) return false
    for (const claim of this.#of(subscription).values()) if (claim.lane === lane && claim.ref !== ref) return true
    return false
  }

  hasEvent(ref: number): boolean {
    for (const { event } of this.#byId.values()) if (event === ref) return true
    return false
  }

  #of(subscription: string): Map<number, OpenClaim> {
    let claims = this.#bySubscription.get(subscription)
    if (claims === undefined) {
      claims = new Map()
      this.#bySubscription.set(subscription, claims)
    }
    return claims
  }
}
