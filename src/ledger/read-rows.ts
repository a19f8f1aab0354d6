import type { Validator } from '../model/exchange.ts'
import type { Read } from '../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../model/resource.ts'

/** A record within its account. */
export interface ReadKey {
  readonly resource: SubjectResource
  readonly id: string
}

/** When something was read last, and by which pass. */
interface LastRead {
  readonly sentAt: number
  readonly answeredAt: number
  readonly pass: number
}

/** What is kept of the reads of a record. While it is on a page, its page was read last, and tells when. */
export interface ReadRow extends ReadKey, LastRead {
  readonly fingerprint: string | null
  readonly etag: string | null
  /** How often passes have missed the record since one met it; null: the record is removed. */
  readonly misses: number | null
  /** `ref` of the page that the record is on; null: it is on none. */
  readonly page: number | null
}

/** What a record is compared by, which moves without its page. */
export type ReadPrint = Pick<ReadRow, 'resource' | 'id' | 'fingerprint' | 'etag'>

/** A read, and the last one of its page; null: it is on none, or that page is gone. */
export interface KnownRead {
  readonly row: ReadRow
  readonly ofPage: LastRead | null
}

/** What is kept of a page and moves with every answer. `digest` null: the next answer is parsed, whatever its bytes. */
export interface PageRead extends LastRead {
  readonly ref: number
  readonly digest: string | null
  readonly etag: string | null
}

/** What becomes of an answer's page. `same`: what the page holds stays as it is. `emptied`: the page goes. */
export type PageAfter =
  | (PageRead & { readonly kind: 'same' | 'shown' })
  | { readonly kind: 'emptied'; readonly ref: number }

interface PageAnswer {
  readonly resource: RecordResource
  readonly read: Read
  /** The pass that read the page; null: none did, and what the answer shows counts for none. */
  readonly pass: number | null
}

/** An answer with the bytes that are known. */
interface SameAnswer extends PageAnswer {
  readonly kind: 'same'
  readonly known: { readonly validator: Validator | null; readonly lastRead: Read }
  readonly validator: Validator
  readonly isFresh: boolean
}

/** An answer whose rows are looked at. */
interface ShownAnswer extends PageAnswer {
  readonly kind: 'shown'
  readonly rows: number
  /** The pass that the list is at: what no pass read first need not be met by it. */
  readonly current: number
  readonly validator: Validator | null
  readonly ids: readonly string[]
}

/** A record that is written since an answer showed it, or showed it to be gone. */
export interface ShownRecord {
  readonly state: ReadKey & { readonly lastRead: Read; readonly removedAt: number | null }
  /** The hash of what the answer showed; null: it did not show the record. */
  readonly contentHash: string | null
  readonly etag?: string | null
  /** The record that is replaced; null: the record is new. */
  readonly before: object | null
}

/** Records of which an answer says something, and shows nothing new. */
export type ReadNews = UnchangedNews | OtherNews

interface UnchangedNews {
  readonly kind: 'unchanged'
  readonly resource: SubjectResource
  readonly ids: readonly string[]
  readonly read: Read
  /** The ETag from now on; left out: it is as it was. */
  readonly etag?: string | null
}

interface OtherNews {
  readonly kind: 'met' | 'missed'
  readonly resource: SubjectResource
  readonly ids: readonly string[]
}

/** What one answer says of reads. */
export interface ReadAnswer {
  readonly page: SameAnswer | ShownAnswer | null
  /** The pass that the list is at, where the records are of a page that no pass read and that is still to come; left out: they are not. */
  readonly ahead?: Pick<ShownAnswer, 'current'> | undefined
  /** The list that the answer is of, and the pass that meets its records; null: no pass does. */
  readonly met: { readonly resource: SubjectResource; readonly pass: number } | null
  readonly shown: readonly ShownRecord[]
  readonly news: readonly ReadNews[]
}

interface Known {
  readonly known: readonly KnownRead[]
  readonly page: PageAfter | null
}

/** The reads of an answer's records, and what becomes of them, record by record. */
export class MovedReads {
  readonly #answer: ReadAnswer
  readonly #page: PageAfter | null
  readonly #rows = new Map<string, ReadRow>()
  /** When pages were read last, by their `ref`. */
  readonly #pages = new Map<number, LastRead>()
  readonly #moved = new Map<string, ReadRow>()
  readonly #prints = new Map<string, ReadPrint>()
  readonly #doubted = new Set<number>()

  /** `page`: what the answer's page is from now on. */
  constructor(answer: ReadAnswer, { known, page }: Known) {
    this.#answer = answer
    this.#page = page
    for (const { ofPage, row } of known) {
      this.#rows.set(textOf(row), row)
      if (row.page !== null && ofPage !== null) this.#pages.set(row.page, ofPage)
    }
  }

  get moved() {
    return {
      rows: [...this.#moved.values()],
      prints: [...this.#prints.values()],
      doubted: [...this.#doubted].filter((ref) => ref !== this.#page?.ref),
      growth: this.#growth(),
    }
  }

  /** Whether the next answer of a page is parsed, whatever its bytes. */
  doubts(page: number): boolean {
    return this.#doubted.has(page)
  }

  /** Whoever left the answer's page did so before that was read. */
  readPage(page: PageAfter): void {
    if (page.kind !== 'emptied') this.#pages.set(page.ref, page)
  }

  /** A record that is on no page any more was last read when it last was on one. A page that is gone tells nothing. */
  leave(key: ReadKey): void {
    const row = this.#rowOf(key)
    if (row === undefined || row.page === null) return
    const { answeredAt, pass, sentAt } = this.#pages.get(row.page) ?? row
    this.#put({ ...row, sentAt, answeredAt, pass: Math.max(pass, row.pass), page: null })
  }

  /** A record that stays on the answer's page, whose row holds everything else. */
  print({ contentHash: fingerprint, etag = null, state: { id, resource } }: ShownRecord): void {
    const print = { resource, id, fingerprint, etag }
    const row = this.#rowOf(print)
    if (row === undefined) this.#prints.set(textOf(print), print)
    else this.#put({ ...row, ...print })
  }

  /** A record that the answer showed elsewhere than it was, or showed to be gone. */
  show({ contentHash: fingerprint, etag = null, state }: ShownRecord): void {
    const { id, lastRead, removedAt, resource } = state
    const { answeredAt, sentAt } = lastRead
    const key = { resource, id }
    const page = this.#move(key, removedAt === null ? this.#open(key) : null)
    const old = this.#rowOf(key)
    const isCounted = fingerprint !== null && this.#countsMisses
    // What no pass read first need not be met by the one that the list is at.
    const first = old === undefined || old.misses === null ? this.#current : null
    const pass = this.#metBy(key) ?? first ?? old?.pass ?? 0
    const misses = removedAt !== null ? null : old === undefined || isCounted ? 0 : (old.misses ?? 0)
    this.#put({ ...key, fingerprint, etag, sentAt, answeredAt, page, pass, misses })
  }

  take(news: ReadNews): void {
    for (const id of news.ids) {
      const key = { resource: news.resource, id }
      if (news.kind === 'unchanged') this.#touch(key, news)
      else if (news.kind === 'met') this.#meet(key)
      else this.#miss(key)
    }
  }

  #touch(key: ReadKey, { etag, read: { answeredAt, sentAt } }: UnchangedNews): void {
    const page = this.#move(key, this.#open(key))
    const old = this.#rowOf(key)
    if (old === undefined) return
    const pass = this.#metBy(key) ?? old.pass
    const misses = this.#countsMisses ? 0 : old.misses
    this.#put({ ...old, sentAt, answeredAt, page, pass, misses, etag: etag === undefined ? old.etag : etag })
  }

  /** Something else than its page showed a record. A removed one is neither met nor missed until it is read again. */
  #meet(key: ReadKey): void {
    const old = this.#rowOf(key)
    if (old === undefined) return
    this.#doubt(old.page)
    if (old.misses !== null) this.#put({ ...old, pass: this.#metBy(key) ?? old.pass, misses: 0 })
  }

  #miss(key: ReadKey): void {
    this.#move(key, null)
    const old = this.#rowOf(key)
    if (old !== undefined && old.misses !== null) this.#put({ ...old, misses: old.misses + 1 })
  }

  /** Takes a record off its page, unless it goes to that very page, and returns where it goes; null: to none. */
  #move(key: ReadKey, to: number | null): number | null {
    const row = this.#rowOf(key)
    if (row === undefined) return to
    if (row.page !== to) this.#doubt(row.page)
    if (to === null) this.leave(key)
    return to
  }

  /** The page that a record joins; null: none. One that joined where no pass read would count as met by the pass that did. */
  #open({ resource }: ReadKey): number | null {
    const { page: answer } = this.#answer
    if (this.#page?.kind !== 'shown' || answer === null || answer.resource !== resource) return null
    return answer.pass === null ? null : this.#page.ref
  }

  #doubt(page: number | null): void {
    if (page !== null) this.#doubted.add(page)
  }

  /** Whether a record that the answer shows is missed no longer. */
  get #countsMisses(): boolean {
    const { ahead, page } = this.#answer
    return page === null ? ahead === undefined : page.pass !== null
  }

  get #current(): number | null {
    const { ahead, page } = this.#answer
    return page?.kind === 'shown' ? page.current : (ahead?.current ?? null)
  }

  #metBy({ resource }: ReadKey): number | null {
    const { met } = this.#answer
    return met?.resource === resource ? met.pass : null
  }

  #put(row: ReadRow): void {
    this.#moved.set(textOf(row), row)
  }

  #rowOf(key: ReadKey): ReadRow | undefined {
    const text = textOf(key)
    return this.#moved.get(text) ?? this.#rows.get(text)
  }

  #growth(): ReadonlyMap<SubjectResource, number> {
    const growth = new Map<SubjectResource, number>()
    for (const [text, { misses, resource }] of this.#moved) {
      const before = this.#rows.get(text)?.misses ?? null
      const step = Number(misses !== null) - Number(before !== null)
      if (step !== 0) growth.set(resource, (growth.get(resource) ?? 0) + step)
    }
    return growth
  }
}

function textOf({ id, resource }: ReadKey): string {
  return `${resource} ${id}`
}
