import { firstUnread, placeAt, rowsLeftOutBefore, rowsUntilPlace, upTo, type Span } from '../../plan/list-gaps.ts'
import { MOST_PAGES, TAKE } from '../../plan/paging.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { ListContext } from '../poll-context.ts'
import type { PageShown } from './page-of-rows.ts'
import {
  isPageTrouble,
  type PageReader,
  type PageAnswer,
  type PageReadRequest,
  type ReadPage,
  type SamePageAnswer,
} from './page-reader.ts'
import { PageTrouble, type ReadingEnd } from './page-trouble.ts'
import { PassCourse, type PassStart } from './pass-course.ts'
import { PassEnding, type PassReport, type Unread } from './pass-end.ts'
import { PassRows } from './pass-rows.ts'

interface Pages {
  readonly pages: PageReader
  readonly beside: PageShown[]
}

/**
 * One pass over a list, from its first page to its end: each page is read, and committed before the next one is asked for. What
 * the pass missed is judged at its end, unless it left anything out.
 */
export class ListPass {
  readonly #context: ListContext
  readonly #reader: PageReader
  readonly #beside: PageShown[]
  readonly #start: PassStart
  readonly #course: PassCourse
  readonly rows: PassRows
  /** The trouble of the pass so far; null: no page has failed yet, and no bad place was met. */
  #troubled: PageTrouble | null = null
  /** The last page, where its answer was known: its last read is written with the count of the next request. */
  #untaken: SamePageAnswer | null = null
  /** A page that another read has shown meanwhile and that could not be read anew; null: there is none. */
  #unmoved: Unread | null = null
  /** Where something of the list answered last; null: nothing has. */
  #answeredAt: number | null = null

  /** `beside`: see `ListReader`. */
  constructor(context: ListContext, { beside, pages }: Pages, start: PassStart) {
    this.#context = context
    this.#reader = pages
    this.#beside = beside
    this.#start = start
    this.#course = new PassCourse(start.state)
    this.rows = new PassRows(context, start)
  }

  async run(): Promise<PassReport> {
    const [course, rows, start] = [this.#course, this.rows, this.#start]
    const end = await this.#readToEnd()
    const isEnded = end.kind === 'end' && course.flaw === null && this.#unmoved === null
    const settled = isEnded ? await new PassEnding(this.#context, { course, rows, start }).end(end) : null
    const unread = this.#unread(end)
    if (unread !== null) await rows.endQuarantine(false)
    const { counts, withheld } = rows
    const { events = 0, held = null, removed = 0 } = settled ?? {}
    const sum = { ...counts, withheld, removed, held, events: counts.events + events }
    const isCutShort = end.kind === 'cut_short' || this.#unmoved !== null
    return { reason: unread?.reason ?? null, unread, isCutShort, pages: course.pages, ...sum }
  }

  async #takeBeside(): Promise<void> {
    for (const shown of this.#beside.splice(0)) await this.rows.takeBeside(shown)
  }

  async #readToEnd(): Promise<ReadingEnd> {
    const course = this.#course
    let end: ReadingEnd | null = null
    while (end === null && !course.isEndless) {
      await this.#takeBeside()
      const place = placeAt(this.rows.state.gaps.places, course.skip)
      if (place === null) end = await this.#readPage()
      else {
        // Whoever passes a bad place goes by what answered before it.
        await this.#takeUntaken()
        end = await this.#trouble.pass(place)
      }
    }
    await this.#takeUntaken()
    await this.#takeBeside()
    if (end !== null) return this.#noteEnd(end)
    const reason = `the list did not end after ${MOST_PAGES} pages`
    return { kind: 'cut_short', isOfList: true, skip: course.skip, reason }
  }

  /** Reads the next page; resolves to how the reading ends, or to null: the list goes on. */
  async #readPage(): Promise<ReadingEnd | null> {
    const { skip } = this.#course
    const { places } = this.rows.state.gaps
    const span = { skip, rows: rowsUntilPlace(places, skip) }
    const isItsOwn = rowsLeftOutBefore(places, skip) > 0 || this.#isListsOwn()
    const blame = isItsOwn ? 'item' : 'page'
    const read = await this.#readOn(span, blame)
    if (read.kind === 'same' && span.rows === TAKE && this.#course.goesOnAfter(read)) {
      this.#course.moveOn(read)
      this.#untaken = read
      return null
    }
    const isOvertaken = read.kind === 'same' && !(await read.move.write())
    const first = isOvertaken ? await this.#reader.readAnew(this.#requestFor(span, blame), read) : read
    const answer = first.kind === 'failed' ? await this.#trouble.askAgain(first, span, blame) : first
    return answer.kind === 'failed' ? this.#trouble.readAround(answer, span) : this.#takePage(answer, span.rows)
  }

  /** `asked`: how many rows; fewer than a page holds, where a bad place lies behind them. */
  async #takePage(answer: ReadPage, asked: number): Promise<ReadingEnd | null> {
    const { exchange, place } = answer
    const course = this.#course
    let isEnd: boolean
    if (asked === TAKE) {
      const end = course.moveOn(answer)
      await this.#take(answer)
      isEnd = end === 'yes' || (end === 'unless_items_are_unmet' && !(await this.#hasUnmet()))
    } else {
      course.notePart(answer)
      course.passOver(place.skip + place.rows)
      await this.#take(answer)
      isEnd = place.rows === 0
    }
    return isEnd ? { kind: 'end', isBeforeRest: false, exchange } : null
  }

  /** Reads rows while the page before may be untaken, and takes that one first. */
  async #readOn(span: Span, blame: 'item' | 'page'): Promise<PageAnswer> {
    const rider = this.#untaken?.move ?? null
    try {
      const answer = await this.#reader.ask({ ...this.#requestFor(span, blame), rider })
      await this.#takeUntaken()
      return answer
    } catch (error) {
      // The page before was read, even where this one is cut off.
      await rider?.write().catch(() => undefined)
      throw error
    }
  }

  #requestFor({ rows: take, skip }: Span, blame: 'item' | 'page'): PageReadRequest {
    const { signal, state } = this.#start
    return { skip, take, blame, pass: state.pass, maySkip: state.baselinedAt !== null, tries: 1, signal }
  }

  /** Takes the page before, which is read anew where another read has shown something else there meanwhile. */
  async #takeUntaken(): Promise<void> {
    const untaken = this.#untaken
    this.#untaken = null
    if (untaken === null) return
    if (await untaken.move.write()) return this.#take(untaken)
    const { skip } = untaken.place
    const anew = await this.#reader.readAnew(this.#requestFor({ skip, rows: TAKE }, 'page'), untaken)
    if (anew.kind === 'failed') this.#unmoved ??= { skip, reason: anew.reason, isOfList: isPageTrouble(anew) }
    else {
      this.#course.noteAge(anew.exchange)
      await this.#take(anew)
    }
  }

  async #take(answer: ReadPage): Promise<void> {
    const { rows } = this
    const { place } = answer
    await rows.take(answer)
    this.#answeredAt = place.skip
    const { gaps } = rows.state
    if (gaps.unreadFrom === null) return
    rows.leaveOut({ ...gaps, unreadFrom: Math.max(gaps.unreadFrom, place.skip + place.rows) })
  }

  /** Where passes have failed although the account answers it is the list that fails. */
  #isListsOwn(): boolean {
    const { accountClient } = this.#context
    const { incomplete } = this.#start.state.gaps
    return incomplete !== null && accountClient.isCalm && accountClient.answeredAt > incomplete.since
  }

  /** Whether there are known records that the pass has not met. */
  async #hasUnmet(): Promise<boolean> {
    const { account, committer, watch } = this.#context
    const missing = await committer.store.missing(account.name, RECORD_OF[watch], this.#start.state.pass)
    return missing.length > 0
  }

  get #trouble(): PageTrouble {
    this.#troubled ??= new PageTrouble(this.#context, {
      start: this.#start,
      course: this.#course,
      rows: this.rows,
      read: (span, blame) => this.#reader.read(this.#requestFor(span, blame)),
      take: async (answer) => this.#take(answer),
      answeredAt: () => this.#answeredAt,
      isListsOwn: () => this.#isListsOwn(),
    })
    return this.#troubled
  }

  /** Where the list ends, no place behind that is bad, and what lies behind bad ones was read. */
  #noteEnd(end: ReadingEnd): ReadingEnd {
    if (end.kind === 'cut_short') return end
    const { skip } = this.#course
    const { gaps } = this.rows.state
    const { places, unreadFrom } = gaps
    if (end.isBeforeRest) {
      const isBaseline = this.#start.state.baselinedAt === null
      const from = isBaseline ? skip : unreadFrom === null ? null : Math.max(unreadFrom, skip)
      this.rows.leaveOut({ ...gaps, unreadFrom: from })
    } else this.rows.leaveOut({ ...gaps, places: upTo(places, skip), unreadFrom: null })
    return end
  }

  #unread(end: ReadingEnd): Unread | null {
    if (end.kind === 'cut_short') return end
    if (this.#unmoved !== null) return this.#unmoved
    const { flaw } = this.#course
    if (flaw !== null) return { skip: 0, reason: flaw, isOfList: false }
    const unread = firstUnread(this.rows.state.gaps)
    return unread === null ? null : { ...unread, isOfList: true }
  }
}
