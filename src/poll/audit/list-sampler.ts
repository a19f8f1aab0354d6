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

/**
 * Draws known records of a list at random. A place is drawn among all rows of its pages, each as likely as any other, and a place without a
 * record is drawn anew: so every record on a page is as likely as any other, whatever its id, its page and the size of that. To draw one
 * costs one look at a page, however long the list is. A record on no page, which the last passes have missed, is not drawn.
 */
export class ListSampler {
  readonly #context: Pick<PollContext, 'account' | 'clock' | 'committer' | 'random'>
  readonly #resource: ListedResource
  #known: Pages | null = null

  constructor(context: Pick<PollContext, 'account' | 'clock' | 'committer' | 'random'>, resource: ListedResource) {
    this.#context = context
    this.#resource = resource
  }

  /** The id of a record; null: none was found. */
  async draw(): Promise<string | null> {
    const { account, committer, random } = this.#context
    const { pages, rows } = await this.#pages()
    if (rows === 0) return null
    for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
      const row = Math.min(Math.floor(random() * rows), rows - 1)
      const page = pages.findLast(({ before }) => before <= row)
      if (page === undefined) break
      const ids = await committer.store.idsOn(account.name, this.#resource, [page.skip])
      const id = ids[row - page.before]
      if (id !== undefined) return id
    }
    return null
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
