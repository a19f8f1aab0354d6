import type { Exchange } from '../../model/exchange.ts'
import type { BadPlace, ListGaps } from '../../model/list-gaps.ts'
import { RECORD_OF } from '../../model/resource.ts'
import {
  dueTogether,
  endOf,
  endsAt,
  isDue,
  placeAt,
  remembered,
  replaced,
  rowsLeftOutBefore,
  rowsUntilPlace,
  upTo,
  type Span,
} from '../../plan/bad-places.ts'
import { MOST_PAGES, TAKE } from '../../plan/paging.ts'
import type { ListContext } from '../poll-context.ts'
import type { Failure } from '../requests/health.ts'
import { PageParts, type PartsLook } from './page-parts.ts'
import { isPageTrouble, type PageAnswer, type PageReader, type ReadPage } from './page-reader.ts'
import type { PassCourse } from './pass-course.ts'
import type { PassRows, PassStart } from './pass-rows.ts'

export type ReadingEnd =
  | {
      readonly kind: 'end'
      /** Whether the end is where so many rows in a row cannot be read that nothing behind them was asked for. */
      readonly isBeforeRest: boolean
      /** The exchange of the last page. */
      readonly exchange: Exchange
    }
  | {
      readonly kind: 'cut_short'
      readonly reason: string
      /** Rows before the page that failed. */
      readonly skip: number
      /** Whether it is a failure at all: not where the key was refused, or nothing was asked. */
      readonly isOfList: boolean
    }

/** `isOfPage`: whether other pages answer. */
type FailedPage = Extract<PageAnswer, { readonly kind: 'failed' }> & { readonly isOfPage: boolean }

interface ReadingOf {
  readonly start: PassStart
  readonly course: PassCourse
  readonly rows: PassRows
  readonly signal: AbortSignal
}

/** Reads a list from its first page to its end, and around rows that cannot be read (guarantee D9). */
export class PassReading {
  readonly #context: ListContext
  readonly #reader: PageReader
  readonly #of: ReadingOf
  /** Reads around what fails; null: no page has failed yet. */
  #partsRead: PageParts | null = null
  /** Where something of the list answered last, which may be asked again to see whether it still does. */
  #answeredAt: number | null = null
  #witnessed: Exchange | null = null
  /** Failures of a page that are the account's unless the list turns out to answer elsewhere. */
  #doubted: Failure[] = []

  constructor(context: ListContext, reader: PageReader, of: ReadingOf) {
    this.#context = context
    this.#reader = reader
    this.#of = of
  }

  get #parts(): PageParts {
    const { account, clock, watch } = this.#context
    const { course } = this.#of
    this.#partsRead ??= new PageParts({
      read: async ({ rows: take, skip }) => this.#read({ skip, take, blame: 'item' }),
      take: async (answer) => {
        course.notePart(answer)
        await this.#take(answer)
      },
      witness: async () => this.#witness(this.#answeredAt ?? course.skip + TAKE),
      now: () => clock.now(),
      everyMs: account.watch[watch]?.everyMs ?? 0,
    })
    return this.#partsRead
  }

  async run(): Promise<ReadingEnd> {
    const { course } = this.#of
    while (!course.isEndless) {
      const place = placeAt(this.#gaps.places, course.skip)
      const end = place === null ? await this.#readPage() : await this.#passPlace(place)
      if (end !== null) return this.#ended(end)
    }
    return {
      kind: 'cut_short',
      isOfList: true,
      skip: course.skip,
      reason: `the list did not end after ${MOST_PAGES} pages`,
    }
  }

  get #gaps(): ListGaps {
    return this.#of.rows.state.gaps
  }

  get #isBaseline(): boolean {
    return this.#of.start.state.baselinedAt === null
  }

  /** Reads the next page; resolves to how the reading ends, or to null: the list goes on. */
  async #readPage(): Promise<ReadingEnd | null> {
    const { course } = this.#of
    const { skip } = course
    const take = rowsUntilPlace(this.#gaps.places, skip)
    this.#doubted = []
    const answer = await this.#tryPage({ skip, rows: take })
    if (answer.kind !== 'failed') return this.#moveOn(answer, take)
    if (!answer.isOfPage) await this.#context.accountClient.confirm(this.#doubted)
    if (!answer.isOfPage) return { kind: 'cut_short', skip, reason: answer.reason, isOfList: isPageTrouble(answer) }
    const span = { skip, rows: Math.min(take, course.pageSize) }
    // A page that no request was left for may hold one bad row: what lies behind it is asked for.
    const mayEnd = this.#parts.hasRequests || rowsLeftOutBefore(this.#gaps.places, skip) > 0
    const look = await this.#parts.lookInto(span, answer.reason)
    if (look.failure !== null) await this.#context.accountClient.confirm(this.#doubted)
    return this.#lookedInto(span, look, mayEnd)
  }

  /**
   * Asks for a page twice. Whether it is the page that fails, and not the platform, shows another one that has answered in this
   * pass or answers now.
   */
  async #tryPage({ rows: take, skip }: Span): Promise<ReadPage | FailedPage> {
    const isBehindBad = rowsLeftOutBefore(this.#gaps.places, skip) > 0
    const blame = isBehindBad || this.#blame === 'item' ? 'item' : 'page'
    const first = await this.#read({ skip, take, blame })
    if (first.kind !== 'failed') return first
    if (!isPageTrouble(first)) return { ...first, isOfPage: false }
    if (blame === 'page') this.#doubt(first)
    const second = await this.#read({ skip, take, blame })
    if (second.kind !== 'failed') return second
    if (!isPageTrouble(second)) return { ...second, isOfPage: false }
    if (blame === 'page') this.#doubt(second)
    return { ...second, isOfPage: this.#answeredAt !== null || (await this.#parts.hasWitness()) }
  }

  /** Where passes have failed although the account answers it is the list that fails. */
  get #blame(): 'item' | 'platform' {
    const { accountClient } = this.#context
    const { incomplete } = this.#of.start.state.gaps
    const isItsOwn = incomplete !== null && accountClient.isCalm && accountClient.answeredAt > incomplete.since
    return isItsOwn ? 'item' : 'platform'
  }

  async #moveOn(answer: ReadPage, take: number): Promise<ReadingEnd | null> {
    const { course } = this.#of
    const { rows, skip } = answer.place
    if (take === TAKE) {
      const end = course.moveOn(answer)
      await this.#take(answer)
      const isEnd = end === 'yes' || (end === 'unless_items_are_unmet' && (await this.#unmet()) === 0)
      return isEnd ? { kind: 'end', isBeforeRest: false, exchange: answer.exchange } : null
    }
    course.notePart(answer)
    course.passOver(skip + rows)
    await this.#take(answer)
    return rows === 0 ? { kind: 'end', isBeforeRest: false, exchange: answer.exchange } : null
  }

  async #unmet(): Promise<number> {
    const { account, committer, watch } = this.#context
    return committer.store.unmet(account.name, RECORD_OF[watch], this.#of.start.state.pass)
  }

  /** A bad place is left out, or tried again where its time has come or rows have moved. */
  async #passPlace(place: BadPlace): Promise<ReadingEnd | null> {
    const { course, rows } = this.#of
    const before = course.skip === place.skip ? rows.rowBefore(place.skip) : null
    const hasMoved = before !== null && place.after !== null && before !== place.after
    const now = this.#context.clock.now()
    if ((isDue(place, now) || hasMoved) && this.#parts.hasRequests) {
      const due = dueTogether(this.#gaps.places, place, now)
      const span = { skip: place.skip, rows: due.reduce((sum, { rows: each }) => sum + each, 0) }
      return this.#lookedInto(span, await this.#parts.tryAgain(due, span))
    }
    course.passOver(endOf(place))
    return this.#endBeforeRest()
  }

  #lookedInto(span: Span, { end, failure, found }: PartsLook, mayEnd = true): ReadingEnd | null {
    const { course, rows, start } = this.#of
    if (failure !== null) return { kind: 'cut_short', skip: span.skip, reason: failure, isOfList: true }
    const { places } = this.#gaps
    const before = [...start.state.gaps.places, ...places]
    const bad = found.map((place) =>
      remembered(place, { before, after: rows.rowBefore(place.skip), isBaseline: this.#isBaseline }),
    )
    this.#leaveOut(replaced(places, span, bad))
    course.passOver(end ?? endOf(span))
    const exchange = rows.lastExchange
    if (end === null || exchange === null) return mayEnd ? this.#endBeforeRest() : null
    return { kind: 'end', isBeforeRest: false, exchange }
  }

  #endBeforeRest(): ReadingEnd | null {
    const { course, rows } = this.#of
    const exchange = rows.lastExchange ?? this.#witnessed
    if (!endsAt(this.#gaps.places, course.skip)) return null
    if (exchange !== null) return { kind: 'end', isBeforeRest: true, exchange }
    return {
      kind: 'cut_short',
      isOfList: true,
      skip: 0,
      reason: this.#gaps.places[0]?.reason ?? 'nothing of it can be read',
    }
  }

  #leaveOut(places: readonly BadPlace[]): void {
    this.#of.rows.leaveOut({ ...this.#gaps, places })
  }

  #doubt({ exchange, reason }: { readonly exchange: Exchange | null; readonly reason: string }): void {
    if (exchange !== null) this.#doubted.push({ exchange, reason })
  }

  async #read(span: { skip: number; take: number; blame: 'item' | 'page' | 'platform' }): Promise<PageAnswer> {
    const { signal, start } = this.#of
    const { pass } = start.state
    return this.#reader.read({ ...span, pass, maySkip: !this.#isBaseline, tries: 1, signal })
  }

  async #take(answer: ReadPage): Promise<void> {
    const { rows } = this.#of
    const { place } = answer
    await rows.take(answer)
    this.#answeredAt = place.skip
    const { unreadFrom } = this.#gaps
    if (unreadFrom === null) return
    rows.leaveOut({ ...this.#gaps, unreadFrom: Math.max(unreadFrom, place.skip + place.rows) })
  }

  /** Whether anything of the list answers, at the price of a row. */
  async #witness(skip: number): Promise<boolean> {
    const { account, accountClient, platform, watch } = this.#context
    const { signal } = this.#of
    const request = { skip, take: 1, shipmentIdField: account.shipmentIdField }
    const how = { signal, of: 'list', place: { watch, skip }, priority: 'pass', tries: 1 } as const
    const blame = this.#blame
    const ask = async () => platform.list(RECORD_OF[watch], request, signal)
    const answer = await accountClient.ask(ask, { ...how, blame })
    if (answer.kind === 'read') this.#witnessed = answer.exchange
    return answer.kind === 'read'
  }

  /** Where the list ends, no place behind that is bad, and what lies behind bad ones was read. */
  #ended(end: ReadingEnd): ReadingEnd {
    if (end.kind === 'cut_short') return end
    const { course, rows } = this.#of
    const { places, unreadFrom } = this.#gaps
    if (end.isBeforeRest) {
      const from = this.#isBaseline ? course.skip : unreadFrom === null ? null : Math.max(unreadFrom, course.skip)
      rows.leaveOut({ ...this.#gaps, unreadFrom: from })
    } else rows.leaveOut({ ...this.#gaps, places: upTo(places, course.skip), unreadFrom: null })
    return end
  }
}
