/**
 * How soon a request has to be sent: `verification` keeps something from being emitted; `pass` is a page of a pass, whose rows may
 * move while it lasts; `due` is an item that is due; `announced` one that something else says has changed; `spare` uses what
 * budget is left.
 */
const PRIORITIES = ['verification', 'pass', 'due', 'announced', 'spare'] as const
export type Priority = (typeof PRIORITIES)[number]

/**
 * How many more urgent requests are let in at most while one waits. Where the platform answers too slowly for `every`, or this
 * machine is too slow, lists always wait: items would never be read.
 */
const MOST_PASSED_BY = 3

/** Who waits with one priority, in the order of coming. */
interface Row<T> {
  readonly waiting: Set<T>
  /** How many more urgent ones were let in since the last of this priority, while one waited. */
  passedBy: number
}

/** Who waits: the more urgent first, among equals who came first; but nobody is passed by again and again, beside `spare`. */
export class PriorityQueue<T> {
  readonly #rows: Readonly<Record<Priority, Row<T>>> = {
    verification: { waiting: new Set(), passedBy: 0 },
    pass: { waiting: new Set(), passedBy: 0 },
    due: { waiting: new Set(), passedBy: 0 },
    announced: { waiting: new Set(), passedBy: 0 },
    spare: { waiting: new Set(), passedBy: 0 },
  }

  add(priority: Priority, one: T): void {
    this.#rows[priority].waiting.add(one)
  }

  /** Who is first; null: nobody waits. */
  first(): T | null {
    const priority = this.#next()
    if (priority === null) return null
    const [first = null] = this.#rows[priority].waiting
    return first
  }

  /** Lets in who waits at the priority. */
  take(priority: Priority, one: T): void {
    this.remove(one)
    this.#rows[priority].passedBy = 0
    for (let place = PRIORITIES.length - 1; PRIORITIES[place] !== priority; place -= 1) {
      const less = PRIORITIES[place] ?? 'spare'
      const row = this.#rows[less]
      row.passedBy = row.waiting.size === 0 || less === 'spare' ? 0 : row.passedBy + 1
    }
  }

  /** Somebody waits no more. */
  remove(one: T): void {
    for (const priority of PRIORITIES) this.#rows[priority].waiting.delete(one)
  }

  #next(): Priority | null {
    let first: Priority | null = null
    for (const priority of PRIORITIES) {
      const { passedBy, waiting } = this.#rows[priority]
      if (waiting.size === 0) continue
      if (passedBy >= MOST_PASSED_BY) return priority
      first ??= priority
    }
    return first
  }
}
