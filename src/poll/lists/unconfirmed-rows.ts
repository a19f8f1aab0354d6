import type { PageOfRows } from './page-of-rows.ts'

/** Rows beyond these are not kept: the next pass learns them. */
const MOST_ROWS = 10_000

/**
 * Records never seen before wait here until the pass has met enough of the known ones: until then they may be another
 * account's (guarantee D6).
 */
export class UnconfirmedRows {
  readonly #recognisedAfter: number
  readonly #met = new Set<string>()
  #pages: PageOfRows[] = []
  #rows = 0
  /** Rows that were not even kept. */
  #dropped = 0

  constructor(recognisedAfter: number) {
    this.#recognisedAfter = recognisedAfter
  }

  get recognised(): boolean {
    return this.#met.size >= this.#recognisedAfter
  }

  /** Rows that were received and are not committed. */
  get withheld(): number {
    return this.#rows + this.#dropped
  }

  /** Known ids that the pass met. Once they are enough, more need not be reported. */
  meet(ids: Iterable<string>): void {
    for (const id of ids) this.#met.add(id)
  }

  withhold(page: PageOfRows): void {
    if (page.records.size === 0) return
    if (this.#rows + page.records.size > MOST_ROWS) {
      this.#dropped += page.records.size
      return
    }
    this.#pages.push(page)
    this.#rows += page.records.size
  }

  /** Gives the pages that waited, in the order they came; they wait no longer. */
  release(): readonly PageOfRows[] {
    const pages = this.#pages
    this.#pages = []
    this.#rows = 0
    return pages
  }
}
