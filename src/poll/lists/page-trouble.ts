import type { Exchange } from '../../model/exchange.ts'
import type { BadPlace, ListGaps } from '../../model/list-gaps.ts'
import {
  dueTogether,
  endOf,
  endsAt,
  isDue,
  remembered,
  replaced,
  rowsLeftOutBefore,
  type Span,
} from '../../plan/list-gaps.ts'
import { TAKE } from '../../plan/paging.ts'
import type { ListContext } from '../poll-context.ts'
import type { Priority } from '../requests/priority-queue.ts'
import { PageParts, type PartsLook } from './page-parts.ts'
import { isPageTrouble, type PageAnswer, type ReadPage } from './page-reader.ts'
import type { PassCourse, PassStart } from './pass-course.ts'
import type { PassRows } from './pass-rows.ts'
import { readBeside } from './rows-beside.ts'

/** The reading of a list has reached its end. */
export interface ReachedEnd {
  readonly kind: 'end'
  /** Whether the end is where so many rows in a row cannot be read that nothing behind them was asked for. */
  readonly isBeforeRest: boolean
  /** The exchange of the last page. */
  readonly exchange: Exchange
}

interface CutShort {
  readonly kind: 'cut_short'
  readonly reason: string
  /** Rows before the page that failed. */
  readonly skip: number
  /** Whether the trouble is a failure of the list at all: not where the key was refused, or nothing was asked. */
  readonly isOfList: boolean
}

export type ReadingEnd = ReachedEnd | CutShort

export type FailedAnswer = Extract<PageAnswer, { readonly kind: 'failed' }>

/** `isOfPage`: whether other pages answer. */
type FailedPage = FailedAnswer & { readonly isOfPage: boolean }

/** A pass as far as its trouble is concerned. */
export interface TroubledPass {
  readonly start: PassStart
  readonly course: PassCourse
  readonly rows: PassRows
  /** Asks for rows, once. */
  readonly read: (span: Span, blame: 'item' | 'page') => Promise<PageAnswer>
  /** Whether failures are the list's: those of passes, while the account answers. */
  readonly isListsOwn: () => boolean
  /** Takes what was read. */
  readonly take: (answer: ReadPage) => Promise<void>
  /** Where something of the list answered last, which may be asked again to see whether it still does; null: nothing has. */
  readonly answeredAt: () => number | null
}

/** What a pass does where a page fails, or where rows could not be read before (guarantee D9). */
export class PageTrouble {
  readonly #context: ListContext
  readonly #of: TroubledPass
  readonly #parts: PageParts
  #witnessed: Exchange | null = null

  constructor(context: ListContext, of: TroubledPass) {
    const { account, clock, watch } = context
    this.#context = context
    this.#of = of
    this.#parts = new PageParts({
      read: async (span) => of.read(span, 'item'),
      take: async (answer) => {
        of.course.notePart(answer)
        await of.take(answer)
      },
      witness: async (priority) => this.#witness(of.answeredAt() ?? of.course.skip + TAKE, priority),
      now: () => clock.now(),
      everyMs: account.watch[watch]?.everyMs ?? 0,
    })
  }

  get #gaps(): ListGaps {
    return this.#of.rows.state.gaps
  }

  /**
   * Asks for a page that failed once more. Whether it is the page that fails, and not the platform, shows another one that has
   * answered in this pass or answers now.
   */
  async askAgain(first: FailedAnswer, span: Span, blame: 'item' | 'page'): Promise<ReadPage | FailedPage> {
    if (!isPageTrouble(first)) return { ...first, isOfPage: false }
    const doesAnswer = blame === 'page' && this.#parts.hasRequests ? await this.#hurry() : null
    if (doesAnswer === false) return { ...first, isOfPage: false }
    const second = await this.#of.read(span, blame)
    if (second.kind !== 'failed') return second
    if (!isPageTrouble(second)) return { ...second, isOfPage: false }
    return {
      ...second,
      isOfPage: doesAnswer === true || this.#of.answeredAt() !== null || (await this.#parts.hasWitness()),
    }
  }

  /** Reads around what fails of a page; resolves to how the reading ends, or to null: the list goes on. */
  async readAround(answer: FailedPage, { rows, skip }: Span): Promise<ReadingEnd | null> {
    const { accountClient } = this.#context
    if (!answer.isOfPage) {
      if (mayBeOutage(answer)) await accountClient.settleOutage(this.#of.start.signal)
      return { kind: 'cut_short', skip, reason: answer.reason, isOfList: isPageTrouble(answer) }
    }
    const span = { skip, rows: Math.min(rows, this.#of.course.pageSize) }
    // A page that no request was left for may hold one bad row: what lies behind it is asked for.
    const mayEnd = this.#parts.hasRequests || rowsLeftOutBefore(this.#gaps.places, skip) > 0
    const look = await this.#parts.lookInto(span, answer.reason)
    if (look.failure !== null) await accountClient.settleOutage(this.#of.start.signal)
    return this.#lookedInto(span, look, mayEnd)
  }

  /** A bad place is left out, or tried again where its time has come or rows have moved. */
  async pass(place: BadPlace): Promise<ReadingEnd | null> {
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
      remembered(place, { before, after: rows.rowBefore(place.skip), isBaseline: start.state.baselinedAt === null }),
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

  /** See `AccountClient.hurry`. */
  async #hurry(): Promise<boolean | null> {
    const { accountClient, watch } = this.#context
    return accountClient.hurry(watch, async () => this.#parts.hasWitness('verification'), this.#of.start.signal)
  }

  /** Whether anything of the list answers, at the price of a row. */
  async #witness(skip: number, priority: Priority): Promise<boolean> {
    const { rows, start } = this.#of
    const blame = this.#of.isListsOwn() ? 'item' : 'page'
    const shown = await readBeside(this.#context, { skip, rows: 1 }, { signal: start.signal, priority, blame })
    if (shown === null) return false
    this.#witnessed = shown.exchange
    await rows.takeBeside(shown)
    return true
  }
}

/** Whether the account may be what fails: the platform failed, or was not asked any more because it fails. */
function mayBeOutage(answer: FailedAnswer): boolean {
  return answer.exchange === null || isPageTrouble(answer)
}
