import { RECORD_OF } from '../../model/resource.ts'
import type { ListContext } from '../poll-context.ts'
import type { PageShown } from './page-of-rows.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** What a pass has met. The ids of pages whose answers were known are looked up only once somebody asks. */
export class MetIds {
  readonly #context: ListContext
  readonly #ids = new Set<string>()
  /** By `skip`. */
  #pages: number[] = []
  #shown: { readonly ids: readonly string[] } | { readonly skip: number } = { ids: [] }
  #inMotion = false
  #hasRepeats = false

  constructor(context: ListContext) {
    this.#context = context
  }

  /** Rows came twice, or without an id: the pass may have missed what is there. */
  get inMotion(): boolean {
    return this.#inMotion
  }

  /** Whether records came twice, on several pages. */
  get hasRepeats(): boolean {
    return this.#hasRepeats
  }

  /** A page that is known, just as it is. */
  addPage(skip: number): void {
    this.#pages.push(skip)
    this.#shown = { skip }
  }

  /** Adds the ids of a page. Resolves to those that the pass had met before. */
  async add({ rows }: PageShown['page']): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return NOTHING
    await this.all()
    const [fresh, again]: [string[], string[]] = [[], []]
    let hasNameless = false
    for (const { id, kind } of rows) {
      if (id === null) hasNameless = true
      else if (kind === 'record') (this.#isNew(id) ? fresh : again).push(id)
    }
    const before = again.length === 0 ? NOTHING : without(again, fresh)
    if (before.size > 0) this.#hasRepeats = true
    if (before.size > 0 || hasNameless) this.#inMotion = true
    return before
  }

  /** What was committed of a page. */
  noteShown(ids: readonly string[]): void {
    if (ids.length > 0) this.#shown = { ids }
  }

  async all(): Promise<ReadonlySet<string>> {
    const pages = this.#pages
    this.#pages = []
    if (pages.length > 0) for (const id of await this.#idsOn(pages)) this.#ids.add(id)
    return this.#ids
  }

  /**
   * A record that the pass showed, which a fetch by id would find; null where it showed none. Another one in every pass: a
   * single record that cannot be fetched proves nothing about the others.
   */
  async shownId(pass: number): Promise<string | null> {
    const ids = 'ids' in this.#shown ? this.#shown.ids : await this.#idsOn([this.#shown.skip])
    return ids.at(pass % Math.max(ids.length, 1)) ?? null
  }

  /** Adds it. One look-up for each row of a pass. */
  #isNew(id: string): boolean {
    const { size } = this.#ids
    return this.#ids.add(id).size > size
  }

  async #idsOn(skips: readonly number[]): Promise<readonly string[]> {
    const { account, committer, watch } = this.#context
    return committer.store.idsOn(account.name, RECORD_OF[watch], skips)
  }
}

/** A page may show an id twice, which no page had shown before. */
function without(ids: readonly string[], others: readonly string[]): ReadonlySet<string> {
  const left = new Set(ids)
  for (const id of others) left.delete(id)
  return left
}
