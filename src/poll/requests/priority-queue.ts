/**
 * How soon a request has to be sent: `verification` keeps something from being emitted; `pass` is a page of a pass, whose rows may
 * move while it lasts; `due` is an item that is due; `announced` one that something else says has changed; `spare` uses what
 * budget is left.
 */
const PRIORITIES = ['verification', 'pass', 'due', 'announced', 'spare'] as const
export type Priority = (typeof PRIORITIES)[number]

/** Who waits: the more urgent first, among equals who came first. */
export class PriorityQueue<T> {
  readonly #rows: Readonly<Record<Priority, Set<T>>> = {
    verification: new Set(),
    pass: new Set(),
    due: new Set(),
    announced: new Set(),
    spare: new Set(),
  }

  add(priority: Priority, one: T): void {
    this.#rows[priority].add(one)
  }

  /** null: nobody waits. */
  first(): T | null {
    for (const priority of PRIORITIES) {
      for (const one of this.#rows[priority]) return one
    }
    return null
  }

  remove(one: T): void {
    for (const row of Object.values(this.#rows)) row.delete(one)
  }
}
