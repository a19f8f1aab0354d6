import type { Exchange } from '../../model/exchange.ts'
import type { ListGaps } from '../../model/list-gaps.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { Provenance } from '../../model/provenance.ts'
import { afterCatchingUp } from '../../plan/list-gaps.ts'
import { recognisedAfter } from '../../plan/removal.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import { provenancePass } from '../ingest/record-facts.ts'
import { Quarantine } from '../ingest/quarantine.ts'
import type { ListContext } from '../poll-context.ts'
import { absorbDrift, applyPage } from './apply-page.ts'
import { doubledIds, hashOfMeaning, IdCollisions, withOnly, withoutRows, type HashOf } from './id-collisions.ts'
import { MetIds, MovedRows, type Told } from './moved-rows.ts'
import { Namesakes } from './namesakes.ts'
import {
  flawsOf,
  leftOutOn,
  onlyRecords,
  pageOfRows,
  slicesOf,
  UnconfirmedRows,
  type PageOfRows,
  type PageShown,
} from './page-of-rows.ts'
import type { PassStart } from './pass-course.ts'
import type { ReadPage } from './page-reader.ts'

const COLLISION = 'Two different records of the list carry this id: only one of them is followed.'

/**
 * The way of a pass's rows into the store. Unknown records wait while this may be another account's list. Rows that may be
 * another record under a known id wait until the pass ends. Fields that drift are absorbed first.
 */
export class PassRows {
  readonly #context: ListContext
  readonly #start: PassStart
  readonly #hashOf: HashOf
  readonly #quarantine: Quarantine
  readonly #unconfirmed: UnconfirmedRows
  readonly #idCollisions: IdCollisions
  readonly #moved: MovedRows
  readonly #namesakes: Namesakes | null
  /** Ids met, to count a baseline and to see rows that come twice because the list moves. */
  readonly met: MetIds
  readonly counts = { rows: 0, rejected: 0, changed: 0, events: 0 }
  /** Records that it showed for the first time. */
  #found = 0
  #state: ListState
  /** The ids of the last rows of pages, by where the next row is. */
  readonly #lastIds = new Map<number, string | null>()
  #lastExchange: Exchange | null = null
  /** Rows that were committed and not believed, beside what is known of their records. */
  readonly #disbelieved: Rejection[] = []

  constructor(context: ListContext, start: PassStart) {
    const { state, known, hold, signal } = start
    this.#context = context
    this.#start = start
    this.#state = state
    this.#hashOf = hashOfMeaning(context)
    this.#quarantine = new Quarantine(context, 'list')
    this.#idCollisions = new IdCollisions(state.idCollisions, this.#hashOf)
    this.#moved = new MovedRows(context, signal)
    this.met = new MetIds(context)
    const { account, committer, watch } = context
    this.#namesakes = watch === 'invoices' ? new Namesakes(account.name, committer.store) : null
    const isAccepted = hold?.verdict === 'accept' && hold.reason === 'other_account'
    this.#unconfirmed = new UnconfirmedRows(state.baselinedAt === null || isAccepted ? 0 : recognisedAfter(known))
  }

  /** Rows that were received and are not committed. */
  get withheld(): number {
    return this.#unconfirmed.withheld
  }

  provenance(by: 'page' | 'pass'): Provenance {
    const exchanges = this.#lastExchange === null ? [] : [this.#lastExchange]
    return { by, resource: RECORD_OF[this.#context.watch], exchanges, pass: provenancePass(this.#state) }
  }

  /** The list with what its pages taught so far. */
  get state(): ListState {
    return this.#state
  }

  /** The pass has reached the list's end: fewer records may be left to catch up with since the baseline. */
  endCatchingUp(): void {
    const { gaps } = this.#state
    if (gaps.catchingUp === null) return
    const now = this.#context.clock.now()
    this.leaveOut({ ...gaps, catchingUp: afterCatchingUp(this.#state, this.#found, now) })
  }

  /** What the pass leaves out from now on; written with the next page. */
  leaveOut(gaps: ListGaps): void {
    this.#state = { ...this.#state, gaps }
  }

  /** The last answer that was taken. */
  get lastExchange(): Exchange | null {
    return this.#lastExchange
  }

  /** The id of the row before a place; null: the pass did not show it. */
  rowBefore(skip: number): string | null {
    return this.#lastIds.get(skip) ?? null
  }

  async take(answer: ReadPage): Promise<void> {
    this.#lastExchange = answer.exchange
    if (answer.kind === 'same') return this.#takeSame(answer)
    for (const slice of slicesOf(answer)) await this.#takeShown(slice)
  }

  /** Takes rows that were asked for beside the course of the pass: it has met what they show, but no page. */
  async takeBeside(answer: PageShown): Promise<void> {
    const shown = await this.#named(answer)
    await this.#admit({ ...this.#beside(answer, shown, await this.met.among(shown.page)), isMeeting: true })
  }

  /** Rings for what the pass rejected and has not rung for yet. */
  async endQuarantine(complete: boolean): Promise<void> {
    await this.#quarantine.end({ complete, provenance: this.provenance('pass') })
  }

  /**
   * Commits the invoices and credit notes that waited to hear whether the pass shows both of their reference. `isWhole`: whether
   * it has shown all that the list has; otherwise the other one may be where it could not read, and only what it showed counts.
   */
  async endNamesakes(isWhole: boolean): Promise<void> {
    const waiting = this.#namesakes?.end(await this.met.all(), isWhole) ?? []
    for (const shown of waiting) {
      const met = await this.met.add(shown.page)
      await this.#admit({ ...pageOfRows(shown, { met, leftOut: new Set() }), place: null })
    }
  }

  /**
   * Commits the waiting rows of records that were followed and changed, and reports ids of two records. Resolves to the list after
   * it. `isWhole`: see `endNamesakes`.
   */
  async endCollisions(isWhole: boolean): Promise<ListState> {
    const { changed, idCollisions, over, remember } = this.#idCollisions.end(isWhole)
    for (const page of changed) await this.#apply(page)
    this.#state = { ...this.#state, idCollisions: remember }
    const rejected = [...idCollisions.map((id) => ({ id, reason: COLLISION })), ...this.#disbelieved.splice(0)]
    await this.#quarantine.note({ sound: over, rejected, provenance: this.provenance('pass') })
    return this.#state
  }

  /** The page is the known one: the pass only has to know that its records were met. */
  async #takeSame({ exchange, place }: Extract<ReadPage, { readonly kind: 'same' }>): Promise<void> {
    const { rows, skip } = place
    const { account, churn, committer, plan, watch } = this.#context
    this.counts.rows += rows
    this.met.addPage(skip)
    this.#moved.noteRead(place)
    await churn.notePage({ round: this.#state.pass, reads: rows, events: [] })
    plan.pageSame(RECORD_OF[watch], { skip, at: exchange.sentAt })
    if (this.#unconfirmed.recognised) return
    this.#unconfirmed.meet(await committer.store.idsOn(account.name, RECORD_OF[watch], [skip]))
    if (this.#unconfirmed.recognised) await this.#release()
  }

  async #takeShown(answered: PageShown): Promise<void> {
    const { page, place } = answered
    const { rows: received, shipmentIdField } = page
    this.counts.rows += received.length
    this.#state = { ...this.#state, shipmentIdField: shipmentIdField ?? this.#state.shipmentIdField }
    const leftOut = this.#leftOutOn(answered)
    this.#lastIds.set(place.skip + received.length, received.at(-1)?.id ?? null)
    const shown = await this.#named(answered)
    const rows = pageOfRows(shown, { leftOut, met: await this.met.add(shown.page) })
    await this.#admit(rows)
    this.#moved.noteRead(place)
    await this.#noteRejected(shown.page, rows)
    if (this.#state.baselinedAt !== null || received.length === 0) return
    const { account, progress, watch } = this.#context
    progress({ account: account.name, watch, done: (await this.met.all()).size, total: null })
  }

  /** The page with one record under each id: where it shows several, the one that is followed. */
  async #onePerId(shown: PageShown): Promise<PageShown> {
    const doubled = doubledIds(shown.page, this.#hashOf)
    if (doubled.length === 0) return shown
    const followed = this.#idCollisions.follow(doubled, await this.#seen(doubled.map(({ id }) => id)))
    const rejected = doubled.map(({ id }) => ({ id, reason: COLLISION }))
    await this.#quarantine.note({ sound: [], rejected, provenance: this.provenance('page') })
    this.counts.rejected += rejected.length
    return { ...shown, page: withOnly(shown.page, followed), place: { ...shown.place, validator: null } }
  }

  /** A place may be read, and what was there before turn up behind it. */
  get #allGaps(): ListGaps {
    const { gaps } = this.#state
    return { ...gaps, places: [...this.#start.state.gaps.places, ...gaps.places] }
  }

  /** Commits the page, but for unknown records while this may be another account's list. */
  async #admit(rows: PageOfRows): Promise<void> {
    if (this.#unconfirmed.recognised) return this.#commit(rows)
    const { account, committer, watch } = this.#context
    const ids = [...rows.records.keys(), ...rows.rejectedIds]
    const stored = await committer.store.known(account.name, RECORD_OF[watch], ids)
    const isKnown = (id: string): boolean => stored.get(id)?.removed === false
    this.#unconfirmed.meet(ids.filter(isKnown))
    if (this.#unconfirmed.recognised) {
      await this.#release()
      return this.#commit(rows)
    }
    this.#unconfirmed.withhold({ ...onlyRecords(rows, (id) => !isKnown(id)), rejectedIds: [], place: null })
    return this.#commit(onlyRecords(rows, isKnown))
  }

  async #release(): Promise<void> {
    for (const page of this.#unconfirmed.release()) await this.#commit(page)
  }

  async #commit(rows: PageOfRows): Promise<void> {
    const { again, doubled, untold } = await this.#moved.tell(rows, (id) => this.#idCollisions.has(id))
    // Rows of a record that the pass has met on another page are another record's, or cannot be told from that.
    const page = doubled.length + untold.length === 0 ? rows : withoutRows(rows, await this.#doubted(doubled, untold))
    await this.#apply(this.#idCollisions.sift(page, await this.#knownCollisions(page)))
    for (const answered of again) {
      const shown = await this.#named(answered)
      await this.met.add(shown.page)
      await this.#admit(this.#beside(answered, shown, new Set()))
    }
  }

  /** Rows without a place. `met`: see `pageOfRows`. */
  #beside(answered: PageShown, shown: PageShown, met: ReadonlySet<string>): PageOfRows {
    return { ...pageOfRows(shown, { leftOut: this.#leftOutOn(answered), met }), place: null }
  }

  /** The page with each record under its own id. */
  async #named(answered: PageShown): Promise<PageShown> {
    return this.#onePerId((await this.#namesakes?.name(answered)) ?? answered)
  }

  #leftOutOn(answered: PageShown): ReadonlySet<string> {
    return leftOutOn(this.#allGaps, answered, this.rowBefore(answered.place.skip))
  }

  /** Reports ids of two records. Resolves to the ids whose rows of the page are not committed with it. */
  async #doubted(doubled: Told['doubled'], untold: Told['untold']): Promise<ReadonlySet<string>> {
    for (const { id, records } of doubled) this.#idCollisions.noteDoubled(id, records, records[0])
    const rejected = doubled.map(({ id }) => ({ id, reason: COLLISION }))
    await this.#quarantine.note({ sound: [], rejected, provenance: this.provenance('page') })
    this.counts.rejected += rejected.length
    return new Set([...rejected.map(({ id }) => id), ...untold])
  }

  async #apply(rows: PageOfRows): Promise<void> {
    this.#state = await absorbDrift(this.#context, this.#state, rows)
    const { baselinedAt } = this.#start.state
    const { events, rejected, revised } = await applyPage(this.#context, rows, {
      why: baselinedAt === null ? { kind: 'first' } : this.#context.plan.targetReason(this.#context.watch),
      isOfPass: true,
      list: this.#state,
      absentAt: this.#start.absentAt,
    })
    this.#disbelieved.push(...rejected)
    this.counts.changed += revised.length
    this.#found += revised.filter(({ before }) => before === null).length
    this.counts.events += events.length
    this.met.noteShown([...rows.records.keys()])
  }

  async #noteRejected({ rows }: PageShown['page'], { records }: PageOfRows): Promise<void> {
    const disbelieved = this.#disbelieved.splice(0)
    const rejected = [...rows.filter((row) => row.kind === 'rejected'), ...disbelieved]
    this.counts.rejected += rejected.length
    const bad = new Set(disbelieved.map(({ id }) => id))
    const sound = [...records.keys()].filter((id) => !this.#idCollisions.has(id) && !bad.has(id))
    const { flaws, isFlawed } = flawsOf(RECORD_OF[this.#context.watch], records)
    const provenance = this.provenance('page')
    await this.#quarantine.note({ sound, rejected: [...rejected, ...flaws], isFlawed, provenance })
  }

  /** The known records of those ids of a page that two records carry. */
  async #knownCollisions({ records }: PageOfRows): Promise<ReadonlyMap<string, JsonObject>> {
    if (this.#idCollisions.isEmpty) return new Map()
    return this.#seen([...records.keys()].filter((id) => this.#idCollisions.has(id)))
  }

  async #seen(ids: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    if (ids.length === 0) return new Map()
    const { account, committer, watch } = this.#context
    const states = await committer.store.records(account.name, RECORD_OF[watch], ids)
    return new Map([...states].flatMap(([id, { seen }]) => (seen === null ? [] : [[id, seen] as const])))
  }
}
