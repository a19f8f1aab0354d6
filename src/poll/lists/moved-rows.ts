import { idAtPlatform } from '../../model/invoice-id.ts'
import type { JsonObject } from '../../model/json.ts'
import { isFresh } from '../../model/record-state.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { TAKE } from '../../plan/paging.ts'
import type { RecordRow, Row } from '../../platform/outcome.ts'
import { readOf } from '../ingest/record-facts.ts'
import type { ListContext } from '../poll-context.ts'
import { hashOfMeaning, type HashOf } from './id-collisions.ts'
import type { PageOfRows, PagePlace, PageShown } from './page-of-rows.ts'
import { readBeside, withRows } from './rows-beside.ts'

/** Pages that a pass reads again to tell moved records from doubled ids. What is left untold waits for the next pass. */
const MOST_READS = 20

/** A record that the pass has met on one page, and that another page shows with another meaning. */
interface Doubt {
  readonly row: RecordRow
  /** The record as the earlier page showed it. */
  readonly shown: JsonObject
  /** Where the earlier page begins. */
  readonly skip: number
}

/** What became of the doubts of a page. */
export interface Told {
  /** Ids of two records, each with the one that is followed and the other. */
  readonly doubled: readonly { readonly id: string; readonly records: readonly [JsonObject, JsonObject] }[]
  /** Ids that could not be told: their rows wait for the next pass. */
  readonly untold: readonly string[]
  /** The pages that were read again, without these ids: their answers teach what any answer does. */
  readonly again: readonly PageShown[]
}

/** Pages that were read again, by where they begin; null: the request failed. */
type Rereads = Map<number, PageShown | null>

const NOTHING: Told = { doubled: [], untold: [], again: [] }

/**
 * Tells a record that moved to another page and changed, while a pass ran, from two records under one id on two pages. The
 * earlier page is read once more: it still shows what it showed only where there are two. As a single record may also have
 * changed back and forth, the later page has to show the other one again after that.
 */
export class MovedRows {
  readonly #context: ListContext
  readonly #hashOf: HashOf
  readonly #signal: AbortSignal
  readonly #skips: number[] = []
  readonly #contentHashes = new Set<string>()
  #reads = 0

  constructor(context: ListContext, signal: AbortSignal) {
    this.#context = context
    this.#hashOf = hashOfMeaning(context)
    this.#signal = signal
  }

  /** The pass has read the page that begins there. */
  noteRead({ contentHash, skip }: Pick<PagePlace, 'contentHash' | 'skip'>): void {
    this.#skips.push(skip)
    this.#contentHashes.add(contentHash)
  }

  /** `isDoubled`: whether an id is known to be of two records; nothing has to be told there. */
  async tell(page: PageOfRows, isDoubled: (id: string) => boolean): Promise<Told> {
    const { place } = page
    if (page.metBefore.size === 0) return NOTHING
    // A page of rows that the pass has met ends the list: the platform ignores `skip`.
    if (place !== null && this.#contentHashes.has(place.contentHash)) return NOTHING
    const doubts = await this.#doubts(page, isDoubled)
    if (doubts.length === 0) return NOTHING
    const [before, after]: [Rereads, Rereads] = [new Map(), new Map()]
    const earlier = await this.#still(doubts, {
      page,
      pages: before,
      shownOn: ({ skip }) => skip,
      of: ({ shown }) => shown,
    })
    const later =
      place === null
        ? { yes: earlier.yes, untold: [] }
        : await this.#still(earlier.yes, {
            page,
            pages: after,
            shownOn: () => place.skip,
            of: ({ row }) => row.record,
          })
    const untold = [...earlier.untold, ...later.untold].map(({ row }) => row.id)
    const doubled = later.yes.map(({ row, shown }) => ({ id: row.id, records: [shown, row.record] as const }))
    const without = new Set([...untold, ...doubled.map(({ id }) => id)])
    return { untold, doubled, again: [...before, ...after].flatMap(([, read]) => shownAgain(read, without)) }
  }

  async #doubts({ metBefore, records }: PageOfRows, isDoubled: (id: string) => boolean): Promise<readonly Doubt[]> {
    const { account, committer, watch } = this.#context
    const { store } = committer
    const rows = [...metBefore].flatMap((id) => {
      const row = records.get(id)
      return row === undefined || row.isKnown || isDoubled(id) ? [] : [row]
    })
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const stored = await store.known(account.name, RECORD_OF[watch], ids)
    const differing = rows.filter(({ contentHash, id }) => stored.get(id)?.contentHash !== contentHash)
    const states = await store.records(
      account.name,
      RECORD_OF[watch],
      differing.map(({ id }) => id),
    )
    const left = new Map<string, { readonly row: RecordRow; readonly shown: JsonObject }>()
    for (const row of differing) {
      const shown = states.get(row.id)?.seen ?? null
      if (shown !== null && this.#hashOf(shown) !== this.#hashOf(row.record)) left.set(row.id, { row, shown })
    }
    return this.#placed(left)
  }

  /** What no page of the store holds was not shown by an earlier one. */
  async #placed(left: Map<string, Omit<Doubt, 'skip'>>): Promise<readonly Doubt[]> {
    const { account, committer, watch } = this.#context
    const doubts: Doubt[] = []
    for (const skip of this.#skips) {
      if (left.size === 0) break
      for (const id of await committer.store.idsOn(account.name, RECORD_OF[watch], [skip])) {
        const found = left.get(id)
        if (found !== undefined) doubts.push({ ...found, skip })
        left.delete(id)
      }
    }
    return doubts
  }

  /** The doubts whose record a page shows again as it was, by an answer that was made after the later page's. */
  async #still(
    doubts: readonly Doubt[],
    look: {
      readonly page: PageOfRows
      /** The pages that were read again. */
      readonly pages: Rereads
      readonly shownOn: (doubt: Doubt) => number
      readonly of: (doubt: Doubt) => JsonObject
    },
  ): Promise<{ readonly yes: readonly Doubt[]; readonly untold: readonly Doubt[] }> {
    const yes: Doubt[] = []
    const untold: Doubt[] = []
    for (const doubt of doubts) {
      const skip = look.shownOn(doubt)
      if (!look.pages.has(skip)) look.pages.set(skip, await this.#reread(skip))
      const again = look.pages.get(skip) ?? null
      const contentHash = this.#hashOf(look.of(doubt))
      if (again === null || !isFresh(readOf(again.exchange), readOf(look.page.exchange))) untold.push(doubt)
      else if (again.page.rows.some((row) => this.#shows(row, doubt.row.id, contentHash))) yes.push(doubt)
    }
    return { yes, untold }
  }

  #shows(row: Row, id: string, contentHash: string): boolean {
    const atPlatform = idAtPlatform(RECORD_OF[this.#context.watch], id)
    return row.kind === 'record' && row.id === atPlatform && this.#hashOf(row.record) === contentHash
  }

  async #reread(skip: number): Promise<PageShown | null> {
    if (this.#reads >= MOST_READS) return null
    this.#reads += 1
    const how = { signal: this.#signal, priority: 'verification', blame: 'unknown' } as const
    return readBeside(this.#context, { skip, rows: TAKE }, how)
  }
}

function shownAgain(read: PageShown | null, without: ReadonlySet<string>): readonly PageShown[] {
  return read === null ? [] : [withRows(read, ({ id }) => id === null || !without.has(id))]
}

const NONE: ReadonlySet<string> = new Set()

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

  /** The ids of a page that the pass has met; the page is not added. */
  async among({ rows }: PageShown['page']): Promise<ReadonlySet<string>> {
    const met = await this.all()
    return new Set(rows.flatMap(({ id, kind }) => (id !== null && kind === 'record' && met.has(id) ? [id] : [])))
  }

  /** Adds the ids of a page. Resolves to those that the pass had met before. */
  async add({ rows }: PageShown['page']): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return NONE
    await this.all()
    const [fresh, again]: [string[], string[]] = [[], []]
    let hasNameless = false
    for (const { id, kind } of rows) {
      if (id === null) hasNameless = true
      else if (kind === 'record') (this.#isNew(id) ? fresh : again).push(id)
    }
    const before = again.length === 0 ? NONE : without(again, fresh)
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
