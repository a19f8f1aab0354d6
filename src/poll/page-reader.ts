import { contentHashOf } from '../model/content-hash.ts'
import { isFresh } from '../detect/read-order.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Validator } from '../model/validator.ts'
import { RECORD_OF } from '../model/resource.ts'
import { TAKE } from '../plan/paging.ts'
import type { Page, Unchanged } from '../platform/outcome.ts'
import type { KnownRows } from '../platform/platform.ts'
import type { PageContents, StoredPage } from '../store/page-port.ts'
import { ask, type Answer } from './ask.ts'
import type { ListOptions } from './list-options.ts'
import type { PagePlace } from './page-of-rows.ts'
import { pageRules } from './page-rules.ts'
import { readOf } from './read-of.ts'
import { EtagTrust } from './etag-trust.ts'
import type { Priority } from './priority-queue.ts'

export interface PageRequest {
  readonly skip: number
  /** The pass that it counts for; null: for none. */
  readonly pass: number | null
  /** Whether an answer that is known may go unread. */
  readonly maySkip: boolean
  /** Left out: `pass`. */
  readonly priority?: Priority
  readonly signal: AbortSignal
}

export type PageAnswer =
  /** The answer that was known: what it shows was committed long ago, and its last read is committed by now. */
  | { readonly kind: 'same'; readonly place: PagePlace; readonly exchange: Exchange }
  /** Rows to be judged and committed. */
  | {
      readonly kind: 'shown'
      readonly page: Page
      readonly place: PagePlace
      /** As it was when its last answer was judged, which showed all rows that are known; null: nobody vouches for that. */
      readonly before: PageContents | null
      readonly exchange: Exchange
    }
  | { readonly kind: 'failed'; readonly reason: string }

const EMPTY: Page = { rows: [], shipmentIdField: null, certainIdField: null }

/**
 * Reads single pages of a list. An answer that is the last one again is not looked into: only the last read of its page moves
 * on, and with it that of every record on it. The store vouches for that (`StoredPage.validator`): whatever else told of one of
 * those records since, or was shown beside them, has the next answer read.
 */
export class PageReader {
  readonly #options: ListOptions
  readonly #rules: string
  readonly #etagTrust: EtagTrust

  constructor(options: ListOptions) {
    this.#options = options
    const resource = RECORD_OF[options.watch]
    this.#etagTrust = new EtagTrust(options)
    this.#rules = pageRules(options.account, resource, options.fields[resource])
  }

  async read(request: PageRequest): Promise<PageAnswer> {
    const { pass, skip } = request
    const stored = await this.#stored(skip)
    const known = request.maySkip && stored?.validator != null ? stored : null
    const before = new Before(async () => (stored === null ? null : this.#contents(skip)))
    const answer = await this.#ask(request, { known: await this.#trusted(known), before })
    if (answer.kind === 'failed') return answer
    const { exchange, validator, value } = answer
    if (value !== 'unchanged') {
      await this.#etagTrust.compare(nameOf(skip), [stored?.validator ?? null, validator])
      const page = value ?? EMPTY
      return { kind: 'shown', page, place: this.#place(skip, page, validator), before: before.vouched, exchange }
    }
    if (known !== null && validator !== null && (await this.#moveOn({ known, validator, exchange, pass }))) {
      return { kind: 'same', place: { ...known, validator }, exchange }
    }
    return this.read({ ...request, maySkip: false })
  }

  /** null where it was judged by other rules, or never. */
  async #stored(skip: number): Promise<StoredPage | null> {
    const { account, committer, watch } = this.#options
    const page = await committer.store.page(account.name, RECORD_OF[watch], skip)
    return page?.rules === this.#rules ? page : null
  }

  async #trusted(known: StoredPage | null): Promise<Validator | null> {
    if (known === null || known.validator === null) return null
    const { lastRead, validator, skip } = known
    return this.#etagTrust.trusted(
      { name: nameOf(skip), validator, sentAt: lastRead.sentAt },
      this.#options.clock.now(),
    )
  }

  async #ask(
    { signal, skip, priority = 'pass' }: PageRequest,
    { before, known }: { readonly known: Validator | null; readonly before: Before },
  ): Promise<Answer<Page | Unchanged>> {
    const { account, accountClient, platform, watch } = this.#options
    const understood = async (): Promise<KnownRows> => before.ask()
    const request = { skip, take: TAKE, shipmentIdField: account.shipmentIdField, known, understood }
    const place = { watch, skip }
    return ask(async () => platform.list(RECORD_OF[watch], request, signal), {
      accountClient,
      signal,
      priority,
      of: 'list',
      place,
    })
  }

  /** The same with the records on it. */
  async #contents(skip: number): Promise<PageContents | null> {
    const { account, committer, watch } = this.#options
    const contents = await committer.store.contents(account.name, RECORD_OF[watch], skip)
    return contents?.rules === this.#rules ? contents : null
  }

  #place(skip: number, page: Page, validator: Validator | null): PagePlace {
    return {
      skip,
      rows: page.rows.length,
      contentHash: hashOf(page),
      rules: this.#rules,
      certainIdField: page.certainIdField,
      validator,
    }
  }

  /** False where the page, or a record on it, was told of while the request was under way. */
  async #moveOn(same: {
    readonly known: StoredPage
    readonly validator: Validator
    readonly exchange: Exchange
    readonly pass: number | null
  }): Promise<boolean> {
    const { account, committer, watch } = this.#options
    const { known, validator, pass } = same
    const read = readOf(same.exchange)
    const { skip } = known
    const page = { kind: 'same', resource: RECORD_OF[watch], skip, read, pass, known, validator } as const
    let derived = 0
    await committer.commit(async () => {
      derived += 1
      const nothing = { account: account.name, records: [], events: [] }
      return derived > 1 ? nothing : { ...nothing, page: { ...page, isFresh: isFresh(read, known.lastRead) } }
    })
    return derived === 1
  }
}

function nameOf(skip: number): string {
  return `page at ${skip}`
}

/** By ids, not by content: a platform that ignores `skip` may render the same rows anew (presigned links). */
function hashOf(page: Page): string {
  return contentHashOf(JSON.stringify(page.rows.map((row) => row.id ?? row.record)))
}

/** What a page held before, looked up where its answer is another one. */
class Before {
  readonly #load: () => Promise<PageContents | null>
  #contents: PageContents | null = null

  constructor(load: () => Promise<PageContents | null>) {
    this.#load = load
  }

  async ask(): Promise<KnownRows> {
    this.#contents = await this.#load()
    return this.#contents ?? { ids: new Map(), certainIdField: null }
  }

  /** null where the last answer showed anything else, or was not judged. */
  get vouched(): PageContents | null {
    return this.#contents?.validator == null ? null : this.#contents
  }
}
