import type { PollContext } from '../poll-context.ts'
import type { ListedResource } from '../../model/resource.ts'

/** How long the pages of a list are taken for those that it has. */
const PAGES_MS = 10 * 60_000
/** How often a place is drawn anew that holds no record: rows that cannot be understood, or that have moved. */
const MOST_DRAWS = 10

interface Pages {
  readonly at: number
  readonly rows: number
  /** Rows before each page, and where it is. */
  readonly pages: readonly { readonly before: number; readonly skip: number }[]
}

/** The golden ratio: steps of so much of a circle come down evenly, wherever they begin and however many they are. */
const STEP = (Math.sqrt(5) - 1) / 2

/**
 * Draws known records of a list, evenly and without bias. The first place is drawn at random among all rows of its pages, and each one that
 * follows lies a golden step further on: so every record on a page is as likely as any other, whatever its id, its page and the size of
 * that, and about as many draws as there are rows meet nearly all of them, which is more than draws that know nothing of each other do. To
 * draw one costs one look at a page, however long the list is. A record on no page, which the last passes have missed, is not drawn.
 */
export class ListSampler {
  readonly #context: Pick<PollContext, 'account' | 'clock' | 'committer' | 'random'>
  readonly #resource: ListedResource
  /** Where the last draw was, as a part of the list; null: there was none. */
  #at: number | null = null
  #known: Pages | null = null

  constructor(context: Pick<PollContext, 'account' | 'clock' | 'committer' | 'random'>, resource: ListedResource) {
    this.#context = context
    this.#resource = resource
  }

  /** The id of a record; null: none was found. */
  async draw(): Promise<string | null> {
    const { account, committer } = this.#context
    const { pages, rows } = await this.#pages()
    if (rows === 0) return null
    for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
      const row = Math.min(Math.floor(this.#nextPlace() * rows), rows - 1)
      const page = pages.findLast(({ before }) => before <= row)
      if (page === undefined) break
      const ids = await committer.store.idsOn(account.name, this.#resource, [page.skip])
      const id = ids[row - page.before]
      if (id !== undefined) return id
    }
    return null
  }

  #nextPlace(): number {
    this.#at = this.#at === null ? this.#context.random() : (this.#at + STEP) % 1
    return this.#at
  }

  async #pages(): Promise<Pages> {
    const { account, clock, committer } = this.#context
    const now = clock.now()
    const known = this.#known
    if (known !== null && known.rows > 0 && Math.abs(now - known.at) < PAGES_MS) return known
    const units = await committer.store.pageUnits(account.name, this.#resource)
    let rows = 0
    const pages = units.map((unit) => {
      const page = { before: rows, skip: unit.skip }
      rows += unit.rows
      return page
    })
    this.#known = { at: now, rows, pages }
    return this.#known
  }
}
