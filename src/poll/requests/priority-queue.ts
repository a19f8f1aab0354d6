/**
 * How soon a request has to be sent: `verification` keeps something from being told; `pass` is a page of a pass, whose rows may
 * move while it lasts; `promise` is an item that is due; `announced` one that something else says has changed; `spare` uses what
 * budget is left.
 */
const URGENCIES = ['verification', 'pass', 'promise', 'announced', 'spare'] as const
export type Urgency = (typeof URGENCIES)[number]

/** Who waits: the more urgent first, among equals who came first. */
export class WaitingLine<T> {
  readonly #rows: Readonly<Record<Urgency, Set<T>>> = {
    verification: new Set(),
    pass: new Set(),
    promise: new Set(),
    announced: new Set(),
    spare: new Set(),
  }

  add(urgency: Urgency, one: T): void {
    this.#rows[urgency].add(one)
  }

  /** null: nobody waits. */
  first(): T | null {
    for (const urgency of URGENCIES) {
      for (const one of this.#rows[urgency]) return one
    }
    return null
  }

  remove(one: T): void {
    for (const row of Object.values(this.#rows)) row.delete(one)
  }
}
