/**
 * How soon a request has to be sent: `verification` keeps something from being told, or is asked because something was seen;
 * `promise` is due; `spare` uses what budget is left.
 */
export type Urgency = 'verification' | 'promise' | 'spare'

/** Who waits: the more urgent first, among equals who came first. */
export class WaitingLine<T> {
  readonly #rows: Readonly<Record<Urgency, Set<T>>> = { verification: new Set(), promise: new Set(), spare: new Set() }

  add(urgency: Urgency, one: T): void {
    this.#rows[urgency].add(one)
  }

  /** null: nobody waits. */
  first(): T | null {
    const { verification, promise, spare } = this.#rows
    for (const row of [verification, promise, spare]) {
      for (const one of row) return one
    }
    return null
  }

  remove(one: T): void {
    for (const row of Object.values(this.#rows)) row.delete(one)
  }
}
