import type { BadPlace } from '../../model/list-gaps.ts'
import { endOf, halves, MOST_EXTRA_REQUESTS, pieces, waitOf, type Span } from '../../plan/list-gaps.ts'
import { TAKE } from '../../plan/paging.ts'
import type { Priority } from '../requests/priority-queue.ts'
import { isPageTrouble, type PageAnswer, type ReadPage } from './page-reader.ts'

/** After so many failures without an answer in between it is asked whether the list answers at all. */
const FAILURES_UNTIL_WITNESS = 2
/** How many requests are kept for witnesses: a page that fails when no other is left is told from an outage by them. */
const WITNESSES = 3

/** Rows to be asked for, or left out because there was no request left for them. */
interface Part extends Span {
  /** The bad place that is tried again; null: the rows were not known to be bad. */
  readonly place: BadPlace | null
  /** What is asked for if the part fails; left out: its halves. */
  readonly instead?: readonly Part[]
}

/** What came of a look into rows that could not be read together. */
export interface PartsLook {
  /** The places of the page that cannot be read. */
  readonly found: readonly BadPlace[]
  /** Where the list turned out to end; null: not among them. */
  readonly end: number | null
  /** Why nothing is known of the rows after all: it is not they that fail. null: it is. */
  readonly failure: string | null
}

export interface PartsOf {
  readonly read: (span: Span) => Promise<PageAnswer>
  /** Takes what was read, as soon as it was. */
  readonly take: (answer: ReadPage) => Promise<void>
  /** Whether the list answers elsewhere. */
  readonly witness: (priority: Priority) => Promise<boolean>
  readonly now: () => number
  readonly everyMs: number
}

/**
 * Reads around what fails: asks for the halves of a page, and for halves of these, the largest first, until only the rows that
 * cannot be read are left. What fails is believed to be bad once something else of the list has answered since. All of a pass
 * shares the same few requests; what they do not suffice for is looked into by the next pass.
 */
export class PageParts {
  readonly #of: PartsOf
  #left = MOST_EXTRA_REQUESTS

  constructor(of: PartsOf) {
    this.#of = of
  }

  /** Whether another look can be taken. */
  get hasRequests(): boolean {
    return this.#left > WITNESSES
  }

  /** Asks elsewhere whether the list answers, where no page has yet. */
  async hasWitness(priority: Priority = 'pass'): Promise<boolean> {
    if (this.#left <= 0) return false
    this.#left -= 1
    return this.#of.witness(priority)
  }

  /** Looks into a page that failed as a whole. */
  async lookInto(span: Span, reason: string): Promise<PartsLook> {
    const parts = halves(span).map((half) => ({ ...half, place: null }))
    return new Look(this, this.#of, reason).run(span.rows > 1 ? parts : [], span)
  }

  /** Tries places again that were bad and lie side by side: all of them at once, then each. */
  async tryAgain(places: readonly BadPlace[], span: Span): Promise<PartsLook> {
    const [place = null] = places
    const each = places.flatMap(partsOf)
    const parts = places.length > 1 && span.rows <= TAKE ? [{ ...span, place, instead: each }] : each
    return new Look(this, this.#of, place?.reason ?? '').run(parts, span)
  }

  /** Counts a request; false: there is none left but for witnesses. */
  spend(): boolean {
    if (!this.hasRequests) return false
    this.#left -= 1
    return true
  }
}

function partsOf(place: BadPlace): readonly Part[] {
  const spans = place.isSplit ? pieces(place) : halves(place)
  return spans.map((span) => ({ ...span, place }))
}

class Look {
  readonly #requests: PageParts
  readonly #of: PartsOf
  #reason: string
  #parts: Part[] = []
  #bad: Part[] = []
  #end: number | null = null
  /** Failures since something last answered. */
  #unvouched = 0
  #isVouched = false

  constructor(requests: PageParts, of: PartsOf, reason: string) {
    this.#requests = requests
    this.#of = of
    this.#reason = reason
  }

  async run(parts: readonly Part[], whole: Span): Promise<PartsLook> {
    this.#parts = [...parts]
    if (parts.length === 0) this.#bad.push({ ...whole, place: null })
    if (parts.length === 0 || !this.#requests.hasRequests) this.#unvouched = 1
    for (let part = this.#next(); part !== null && this.#requests.spend(); part = this.#next()) {
      this.#parts = this.#parts.filter((each) => each !== part)
      const failure = await this.#ask(part)
      if (failure !== null) return { found: [], end: null, failure }
    }
    if (this.#unvouched > 0 && !(await this.#vouch())) return { found: [], end: null, failure: this.#reason }
    return { found: this.#found(), end: this.#end, failure: null }
  }

  /** The largest, and the first of these. */
  #next(): Part | null {
    return this.#parts.reduce<Part | null>((best, part) => (best === null || part.rows > best.rows ? part : best), null)
  }

  /** Asks for a part; resolves to why the look is over, or to null. */
  async #ask(part: Part): Promise<string | null> {
    const answer = await this.#of.read(part)
    if (answer.kind === 'failed') return this.#failed(part, answer)
    this.#unvouched = 0
    this.#isVouched = true
    await this.#of.take(answer)
    const { rows } = answer.place
    if (rows === 0) this.#endAt(part.skip)
    else if (rows < part.rows) this.#parts.push({ place: part.place, skip: part.skip + rows, rows: part.rows - rows })
    return null
  }

  async #failed(part: Part, answer: Extract<PageAnswer, { readonly kind: 'failed' }>): Promise<string | null> {
    if (!isPageTrouble(answer)) return answer.reason
    this.#reason = answer.reason
    this.#unvouched += 1
    if (part.rows === 1) this.#bad.push(part)
    else this.#parts.push(...(part.instead ?? halves(part).map((half) => ({ ...half, place: part.place }))))
    if (this.#isVouched || this.#unvouched < FAILURES_UNTIL_WITNESS) return null
    return (await this.#vouch()) ? null : this.#reason
  }

  async #vouch(): Promise<boolean> {
    this.#isVouched = await this.#requests.hasWitness()
    if (this.#isVouched) this.#unvouched = 0
    return this.#isVouched
  }

  #endAt(end: number): void {
    this.#end = Math.min(this.#end ?? end, end)
    const within = (parts: readonly Part[]): Part[] =>
      parts.flatMap((part) =>
        part.skip < end ? [{ place: part.place, skip: part.skip, rows: Math.min(endOf(part), end) - part.skip }] : [],
      )
    this.#parts = within(this.#parts)
    this.#bad = within(this.#bad)
  }

  #found(): readonly BadPlace[] {
    const { everyMs, now } = this.#of
    const found = [
      ...this.#bad.map((part) => ({ part, isSplit: true })),
      ...this.#parts.map((part) => ({ part, isSplit: part.place?.isSplit ?? false })),
    ]
    return found
      .map(({ isSplit, part: { place, rows, skip } }) => {
        const tries = place?.isSplit === true ? place.tries + 1 : 0
        // Rows that were not asked for alone are looked into by the next pass.
        const nextAt = isSplit ? now() + waitOf(tries, everyMs) : now()
        const ofBaseline = place?.ofBaseline ?? false
        return { skip, rows, isSplit, tries, nextAt, reason: this.#reason, ofBaseline, after: null }
      })
      .toSorted((one, other) => one.skip - other.skip)
  }
}
