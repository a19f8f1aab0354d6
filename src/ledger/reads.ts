import {
  type KnownRead,
  MovedReads,
  type PageAfter,
  type PageRead,
  type ReadAnswer,
  type ReadKey,
  type ReadNews,
  type ReadPrint,
  type ReadRow,
  type ShownRecord,
} from './read-rows.ts'
import { isSameRead } from '../model/record-state.ts'
import type { SubjectResource } from '../model/resource.ts'

/** The `ref` of an answer's page that has no row yet: those of rows are greater. */
export const NEW_PAGE = 0

/** What an answer makes of reads. No record is both in `rows` and in `prints`. */
export interface ReadsAfter {
  /** What becomes of the page; null: the answer is no page, or shows nothing where no page is known. */
  readonly page: PageAfter | null
  /** Reads that are new or have moved. */
  readonly rows: readonly ReadRow[]
  /** What moves of records that stay on the answer's page: nothing else of their reads does. */
  readonly prints: readonly ReadPrint[]
  /** Other pages whose next answer is parsed, whatever its bytes. */
  readonly doubted: readonly number[]
  /** By how many records each list grew. */
  readonly growth: ReadonlyMap<SubjectResource, number>
}

const NOTHING_MOVED = { rows: [], prints: [], doubted: [], growth: new Map<SubjectResource, number>() } as const
const NOBODY: ReadonlySet<string> = new Set()

/** Whether the page with which an answer was compared has been read meanwhile. */
export function isOvertaken(answer: NonNullable<ReadAnswer['page']>, page: PageRead | undefined): boolean {
  if (answer.kind === 'shown') return false
  const { lastRead, validator } = answer.known
  const isSame = page !== undefined && page.digest !== null && page.digest === validator?.contentHash
  return !isSame || !isSameRead(page, lastRead)
}

/** A record that an answer names. `mayStay`: where it is on the answer's page, its read need not be looked at. */
export interface NamedRecord extends ReadKey {
  readonly mayStay: boolean
}

/**
 * Every record that an answer names, for a store that looks at page and reads by one statement. Those that leave the page, and
 * these but for whoever stays, are what `PlacedAnswer` wants.
 */
export function recordsIn({ news, shown }: ReadAnswer): readonly NamedRecord[] {
  return [
    ...shown
      .filter(({ before }) => before !== null)
      .map(({ state: { id, removedAt, resource } }) => ({ id, resource, mayStay: removedAt === null })),
    ...news.flatMap(({ ids, kind, resource }) => ids.map((id) => ({ id, resource, mayStay: kind === 'unchanged' }))),
  ]
}

/** An answer beside its page. It says whose reads it is judged by, and then, once they are looked up, what becomes of all. */
export class PlacedAnswer {
  readonly #answer: ReadAnswer
  /** The ids of the records that were on the page. */
  readonly #members: ReadonlySet<string>
  /** The ids of the records that the answer shows there. */
  readonly #ids: ReadonlySet<string>
  readonly #page: PageAfter | null
  readonly #leaving: readonly ReadKey[]
  /** What is to be said of records, but for those that stay on the page as they are known. */
  readonly #news: readonly ReadNews[]

  /** `page` and `members`, the ids of its records, are as they were; members are needed where the answer shows rows. */
  constructor(answer: ReadAnswer, page: PageRead | undefined, members: readonly string[] = []) {
    const { news, page: shown } = answer
    const isShown = shown?.kind === 'shown'
    this.#answer = answer
    this.#members = isShown ? new Set(members) : NOBODY
    this.#ids = isShown && shown.rows > 0 ? new Set(shown.ids) : NOBODY
    this.#page = pageAfter(answer, page, this.#members)
    this.#leaving = isShown ? this.#leave(shown) : []
    this.#news = isShown ? news.map((each) => this.#moving(each)) : news
  }

  /** The records whose reads the answer is judged by. Nearly all of most answers stay on their page, which tells enough of them. */
  get wanted(): readonly ReadKey[] {
    const keys = [...this.#leaving]
    for (const { before, state } of this.#answer.shown) if (before !== null && !this.#stays(state)) keys.push(state)
    for (const { ids, resource } of this.#news) for (const id of ids) keys.push({ resource, id })
    return keys
  }

  /** `known`: the reads of at least the `wanted` records, as far as they have any. */
  after(known: readonly KnownRead[]): ReadsAfter {
    const { shown } = this.#answer
    const page = this.#page
    if (shown.length + this.#leaving.length + this.#news.length === 0) return { page, ...NOTHING_MOVED }
    const reads = new MovedReads(this.#answer, { known, page })
    for (const key of this.#leaving) reads.leave(key)
    if (page !== null) reads.readPage(page)
    for (const record of shown) {
      if (this.#stays(record.state)) reads.print(record)
      else reads.show(record)
    }
    for (const news of this.#news) reads.take(news)
    const isDoubted = page !== null && page.kind !== 'emptied' && reads.doubts(page.ref)
    return { ...reads.moved, page: isDoubted ? { ...page, digest: null } : page }
  }

  #leave({ resource }: Pick<ReadKey, 'resource'>): readonly ReadKey[] {
    const leaving: ReadKey[] = []
    for (const id of this.#members) if (!this.#ids.has(id)) leaving.push({ resource, id })
    return leaving
  }

  #moving(news: ReadNews): ReadNews {
    const { ids, kind, resource } = news
    if (kind !== 'unchanged' || resource !== this.#answer.page?.resource) return news
    return { ...news, ids: ids.filter((id) => !this.#isThere(id)) }
  }

  /** A removed record is on no page. */
  #stays({ id, removedAt, resource }: ShownRecord['state']): boolean {
    return removedAt === null && resource === this.#answer.page?.resource && this.#isThere(id)
  }

  #isThere(id: string): boolean {
    return this.#members.has(id) && this.#ids.has(id)
  }
}

function pageAfter(
  { page: answer }: ReadAnswer,
  page: PageRead | undefined,
  members: ReadonlySet<string>,
): PageAfter | null {
  if (answer === null) return null
  const { answeredAt, sentAt } = answer.read
  const pass = answer.pass ?? page?.pass ?? 0
  if (answer.kind === 'shown') {
    if (answer.rows === 0) return page === undefined ? null : { kind: 'emptied', ref: page.ref }
    // Where no pass read, only those that were on the page stay on it.
    const isWhole = answer.pass !== null || answer.ids.every((id) => members.has(id))
    const { contentHash: digest, etag } = (isWhole ? answer.validator : null) ?? { contentHash: null, etag: null }
    return { kind: 'shown', ref: page?.ref ?? NEW_PAGE, digest, etag, sentAt, answeredAt, pass }
  }
  if (page === undefined) return null
  const { digest, ref } = page
  if (answer.isFresh) return { kind: 'same', ref, digest, etag: answer.validator.etag, sentAt, answeredAt, pass }
  return { kind: 'same', ref, digest, etag: page.etag, sentAt: page.sentAt, answeredAt: page.answeredAt, pass }
}
