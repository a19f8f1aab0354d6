/**
 * How many more rows, or fewer, point at documents, netted over one transaction: a document that passes from a record to the event
 * of its change is not even touched. A row that points twice at one document counts once.
 */
export class DocumentUses<Document> {
  readonly #changes = new Map<Document, number>()

  /** A row points at these from now on. */
  add(one: Document | null, other: Document | null): void {
    this.#point(one, other, 1)
  }

  /** A row points at these no longer. */
  remove(one: Document | null, other: Document | null): void {
    this.#point(one, other, -1)
  }

  of(document: Document): number {
    return this.#changes.get(document) ?? 0
  }

  /** The documents at which more rows point from now on, or fewer. */
  get changed(): readonly (readonly [document: Document, change: number])[] {
    return [...this.#changes].filter(([, change]) => change !== 0)
  }

  #point(one: Document | null, other: Document | null, by: 1 | -1): void {
    if (one !== null) this.#changes.set(one, this.of(one) + by)
    if (other !== null && other !== one) this.#changes.set(other, this.of(other) + by)
  }
}
