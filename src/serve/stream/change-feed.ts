/** Beyond so many rows that nobody has fetched yet, the oldest news is dropped: what is shown is looked up anew anyway. */
const MOST_ROWS = 1_000

export interface FeedReader extends Disposable {
  /** Ids of the rows that changed since the last call, each once. */
  takeRows(): readonly string[]
}

/** What changes in the store, for whoever shows it at once; costs nothing while nobody does. */
export class ChangeFeed {
  readonly #readers = new Map<Set<string>, () => void>()
  /** Told since what others changed was looked up last. */
  readonly #own = new Set<string>()

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  /** Rows of the ledger have changed. */
  rowsChanged(ids: readonly string[]): void {
    if (!this.isRead) return
    for (const id of ids) this.#own.add(id)
    dropOldest(this.#own)
    this.#tell(ids)
  }

  /** Rows that were found to have changed, whoever changed them: those of this process were told at once. */
  rowsFound(ids: readonly string[]): void {
    const others = ids.filter((id) => !this.#own.has(id))
    this.#own.clear()
    if (others.length > 0) this.#tell(others)
  }

  #tell(ids: readonly string[]): void {
    for (const [rows, wake] of this.#readers) {
      for (const id of ids) {
        rows.delete(id)
        rows.add(id)
      }
      dropOldest(rows)
      wake()
    }
  }

  /** Events were stored. */
  stored(): void {
    for (const wake of this.#readers.values()) wake()
  }

  /** `wake` is called, and must return at once, where there may be news. */
  read(wake: () => void): FeedReader {
    const rows = new Set<string>()
    this.#readers.set(rows, wake)
    return {
      takeRows: () => {
        const taken = [...rows]
        rows.clear()
        return taken
      },
      [Symbol.dispose]: () => this.#readers.delete(rows),
    }
  }
}

function dropOldest(rows: Set<string>): void {
  for (const id of rows) {
    if (rows.size <= MOST_ROWS) return
    rows.delete(id)
  }
}
