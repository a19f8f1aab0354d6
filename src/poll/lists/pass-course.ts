import type { Hold } from '../../model/hold.ts'
import type { EndProbe } from '../../model/end-probe.ts'
import type { Exchange } from '../../model/exchange.ts'
import { formatDuration } from '../../model/duration.ts'
import {
  afterPage,
  endCost,
  endsList,
  firstPage,
  largestAfter,
  MOST_PAGES,
  provenEnd,
  TAKE,
  type EndCost,
  type Paging,
} from '../../plan/paging.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import type { PagePlace } from './page-of-rows.ts'
import type { FailedProofs } from './unproved.ts'
import { readOf } from '../ingest/record-facts.ts'

export interface PassStart {
  readonly state: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
  /** Records known before this pass. */
  readonly known: number
  readonly hold: Hold | null
  /** Fetches by id that failed in earlier passes. */
  readonly failedProofs: FailedProofs
  readonly signal: AbortSignal
}

interface PageRead {
  readonly exchange: Exchange
  readonly place: Pick<PagePlace, 'contentHash' | 'rows' | 'skip'>
}

interface CourseEnd {
  readonly known: Pick<ListState, 'endProbe' | 'largestPage'>
  /** The `skip` of each page that held rows. */
  readonly skips: ReadonlySet<number>
  readonly cost: EndCost
}

/** The way of a pass through the pages of its list, and what their answers are worth as a whole. */
export class PassCourse {
  readonly #start: ListState
  /** What the pages of the pass showed, by their content hashes. */
  readonly #contentHashes = new Set<string>()
  /** The pages that held rows, and how many those of them held that were asked for whole. */
  readonly #skips = new Set<number>()
  readonly #sizes: number[] = []
  #paging: Paging
  /** The last of its requests that showed nothing new. */
  #endProbe: EndProbe | null
  #oldestMs = 0

  /** `start`: the list as the pass found it. */
  constructor(start: ListState) {
    this.#start = start
    this.#endProbe = start.endProbe
    this.#paging = firstPage(start.largestPage)
  }

  get skip(): number {
    return this.#paging.skip
  }

  get pages(): number {
    return this.#paging.pages
  }

  /** How many rows a page of the platform has, as far as is known. */
  get pageSize(): number {
    return this.#paging.most || this.#start.largestPage || TAKE
  }

  get isEndless(): boolean {
    return this.#paging.pages >= MOST_PAGES
  }

  /** Takes the next page. Whether the list ends with it. */
  moveOn(page: PageRead): ReturnType<typeof endsList> {
    const { exchange, place } = page
    const { contentHash, rows, skip } = place
    this.noteAge(exchange)
    if (rows > 0) this.#skips.add(skip)
    if (rows > 0) this.#sizes.push(rows)
    const seen = this.#seen(place)
    const end = this.#endOf(page)
    this.#contentHashes.add(contentHash)
    this.#paging = afterPage(this.#paging, seen)
    if (rows === 0 || seen.isRepeat) this.#endProbe = { at: readOf(exchange).sentAt, skip }
    return end
  }

  /** Whether the list goes on behind the next page, whatever the pass has met. */
  goesOnAfter(page: PageRead): boolean {
    return this.#endOf(page) === 'no'
  }

  #endOf({ exchange, place }: PageRead): ReturnType<typeof endsList> {
    const { baselinedAt, completedAt, endProbe } = this.#start
    const proven = baselinedAt === null ? null : provenEnd(endProbe, exchange.answeredAt, completedAt)
    return endsList(this.#paging, this.#seen(place), proven)
  }

  #seen({ contentHash, rows }: PageRead['place']) {
    return { rows, isRepeat: this.#contentHashes.has(contentHash) }
  }

  /** Takes a part of a page, which may come in any order and says nothing of how large pages are; see `passOver`. */
  notePart({ exchange, place: { rows, skip } }: PageRead): void {
    this.noteAge(exchange)
    this.#paging = { ...this.#paging, pages: this.#paging.pages + 1 }
    if (rows > 0) this.#skips.add(skip)
    else this.#endProbe = { at: readOf(exchange).sentAt, skip }
  }

  /** Goes on behind rows that were read in parts, or are left out. */
  passOver(skip: number): void {
    this.#paging = { ...this.#paging, skip }
  }

  /**
   * Why what the pass did not show proves nothing, for people; null: it does. Copies that were made before the last pass ended
   * are no second witness of what that one missed.
   */
  get flaw(): string | null {
    if (this.#oldestMs === 0) return null
    const age = formatDuration(Math.ceil(this.#oldestMs / 1_000) * 1_000)
    return `answers were copies up to ${age} old, made before the last pass ended: a cache stands between`
  }

  /** What is known of the list's end, after a pass that reached it. */
  get end(): CourseEnd {
    const largestPage = largestAfter(this.#sizes, this.#start.largestPage)
    return {
      known: { endProbe: this.#endProbe, largestPage },
      skips: this.#skips,
      cost: this.#paging.repeats > 0 ? 'none' : endCost(this.#sizes, largestPage),
    }
  }

  /** Takes an answer into account that may be an old copy, whatever it showed. */
  noteAge(exchange: Exchange): void {
    if (this.#isOld(exchange)) this.#oldestMs = Math.max(this.#oldestMs, exchange.ageMs ?? 0)
  }

  /** A clock that was set back makes no answer old. */
  #isOld(exchange: Exchange): boolean {
    const { completedAt } = this.#start
    if (completedAt === null || exchange.ageMs === undefined || exchange.sentAt < completedAt) return false
    return readOf(exchange).sentAt < completedAt
  }
}
