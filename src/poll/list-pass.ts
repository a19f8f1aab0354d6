import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { canonicalHash } from '../detect/canonical-hash.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Hold, HoldReason } from '../model/hold.ts'
import type { JsonObject } from '../model/json.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { Provenance, ProvenanceSource } from '../model/provenance.ts'
import { MOST_PAGES } from '../plan/paging.ts'
import { recognisedAfter } from '../plan/removal.ts'
import type { ListState } from '../store/list-state.ts'
import { accountCalendar } from './account-calendar.ts'
import { absorbDrift } from './absorb-drift.ts'
import { applyRows } from './apply-rows.ts'
import { endBaseline } from './end-baseline.ts'
import { fetchProof } from './fetch-proof.ts'
import type { ListOptions } from './list-options.ts'
import { MetIds } from './met-ids.ts'
import { UnconfirmedRows } from './unconfirmed-rows.ts'
import { onlyRecords, pageOfRows, type PageOfRows } from './page-of-rows.ts'
import type { PageAnswer, PageReader } from './page-reader.ts'
import { PassCourse } from './pass-course.ts'
import { Quarantine } from './quarantine.ts'
import { provedCollisions } from './prove-collisions.ts'
import { Removals, type Proof } from './removals.ts'
import { provenancePass } from './provenance-pass.ts'
import { IdCollisions } from './id-collisions.ts'

const NOTHING: ReadonlySet<string> = new Set()

const COLLISION = 'Two different records of the list carry this id: only one of them is followed.'

export interface PassStart {
  readonly state: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
  /** Records known before this pass. */
  readonly known: number
  readonly hold: Hold | null
}

export interface PassOptions extends ListOptions {
  readonly reader: PageReader
}

type SamePage = Extract<PageAnswer, { readonly kind: 'same' }>
type ShownPage = Extract<PageAnswer, { readonly kind: 'shown' }>

/** One pass over a list, committed page by page; what it missed is judged at its end. */
export class ListPass {
  readonly #options: PassOptions
  readonly #start: PassStart
  readonly #quarantine: Quarantine
  /** Of the fetches by id that prove a removal. */
  readonly #fetched: Quarantine
  /** Ids met, to count a baseline and to see rows that come twice because the list moves. */
  readonly #met: MetIds
  readonly #course: PassCourse
  readonly #unconfirmed: UnconfirmedRows
  readonly #idCollisions: IdCollisions
  readonly #hashOf: (record: JsonObject) => string
  #state: ListState
  #inMotion = false
  /** A record that this pass showed, or its page: what a fetch by id would find. */
  #shown: { readonly id: string } | { readonly skip: number } | null = null
  #lastExchange: Exchange | null = null
  rows = 0
  rejected = 0
  changed = 0
  removed = 0
  events = 0
  /** Why what the pass missed is not believed; null: it is. */
  held: HoldReason | null = null

  constructor(options: PassOptions, start: PassStart) {
    this.#options = options
    this.#start = start
    this.#state = start.state
    this.#course = new PassCourse(start.state)
    this.#quarantine = new Quarantine({ ...options, via: 'list' })
    this.#fetched = new Quarantine({ ...options, via: 'item' })
    const { state, known, hold } = start
    const { account, committer, watch } = options
    const ignore = ignoredPaths(account, RECORD_OF[watch])
    this.#hashOf = (record) => canonicalHash(RECORD_OF[watch], record, ignore)
    this.#idCollisions = new IdCollisions(state.idCollisions, this.#hashOf)
    this.#met = new MetIds(async (skips) => committer.store.idsOn(account.name, RECORD_OF[watch], skips))
    const accepted = hold?.verdict === 'accept' && hold.reason === 'other_account'
    this.#unconfirmed = new UnconfirmedRows(state.baselinedAt === null || accepted ? 0 : recognisedAfter(known))
  }

  /** Why it proves nothing of what it missed although it was read to the end; null: it does. */
  get flaw(): string | null {
    return this.#course.flaw
  }

  get pages(): number {
    return this.#course.pages
  }

  /** Rows of unknown records that may be another account's, and so were not learnt. */
  get withheld(): number {
    return this.#unconfirmed.withheld
  }

  /** null when the list was read to its end, otherwise why not. */
  async run(signal: AbortSignal): Promise<string | null> {
    const reason = await this.#readAll(signal)
    const provenance = this.#provenance('pass', this.#lastExchange)
    await this.#quarantine.end({ complete: reason === null, provenance })
    await this.#fetched.end({ complete: false, provenance })
    return reason
  }

  async #readAll(signal: AbortSignal): Promise<string | null> {
    const { reader } = this.#options
    const { baselinedAt, pass } = this.#state
    while (!this.#course.isEndless) {
      const answer = await reader.read({ skip: this.#course.skip, pass, maySkip: baselinedAt !== null, signal })
      if (answer.kind === 'failed') return answer.reason
      const end = this.#course.moveOn(answer)
      this.#lastExchange = answer.exchange
      await (answer.kind === 'same' ? this.#takeSame(answer) : this.#take(answer))
      if (end === 'yes' || (end === 'unless_items_are_unmet' && (await this.#unmet()) === 0)) {
        if (this.#course.flaw === null) await this.#complete(answer.exchange, signal)
        return this.#course.flaw
      }
    }
    return `the list did not end after ${MOST_PAGES} pages`
  }

  /** What it shows is known: only the pass has to know that it was met. */
  async #takeSame({ exchange, place: { rows, skip } }: SamePage): Promise<void> {
    const { account, churn, committer, plan, watch } = this.#options
    this.rows += rows
    this.#met.addPage(skip)
    this.#shown = { skip }
    await churn.notePage({ round: this.#state.pass, reads: rows, events: [] })
    plan.pageSame(RECORD_OF[watch], { skip, at: exchange.sentAt })
    if (this.#unconfirmed.recognised) return
    this.#unconfirmed.meet(await committer.store.idsOn(account.name, RECORD_OF[watch], [skip]))
    if (this.#unconfirmed.recognised) await this.#release()
  }

  async #take({ before, exchange, page, place }: ShownPage): Promise<void> {
    this.rows += page.rows.length
    const shipmentIdField = page.shipmentIdField ?? this.#state.shipmentIdField
    this.#state = { ...this.#state, shipmentIdField }
    const rows = pageOfRows({
      page,
      exchange,
      place,
      before,
      met: page.rows.length === 0 ? NOTHING : await this.#met.all(),
    })
    if (rows.metBefore.size > 0 || page.rows.some(({ id }) => id === null)) this.#inMotion = true
    this.#met.add(rows.records.keys())
    await this.#admit(rows)
    await this.#noteRejected(page, rows)
    if (this.#state.baselinedAt === null && page.rows.length > 0) await this.#report()
  }

  async #report(): Promise<void> {
    const { account, progress, watch } = this.#options
    progress({ account: account.name, watch, done: (await this.#met.all()).size, total: null })
  }

  /** Commits the page, but for unknown records while this may be another account's list. */
  async #admit(rows: PageOfRows): Promise<void> {
    if (this.#unconfirmed.recognised) return this.#commit(rows)
    const { account, committer, watch } = this.#options
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

  async #commit(page: PageOfRows): Promise<void> {
    await this.#apply(this.#idCollisions.sift(page, await this.#knownCollisions(page)))
  }

  async #apply(rows: PageOfRows): Promise<void> {
    this.#state = await absorbDrift(this.#options, this.#state, rows)
    const { before, records, rejectedIds, exchange, metBefore, place } = rows
    const { account, churn, clock, committer, plan, watch } = this.#options
    const applied = await applyRows(committer, {
      account,
      resource: RECORD_OF[watch],
      records,
      alsoMet: rejectedIds,
      metBefore,
      exchange,
      place,
      before,
      why: this.#start.state.baselinedAt === null ? { kind: 'first' } : plan.promised(watch),
      isOfPass: true,
      list: this.#state,
      absentAt: this.#start.absentAt,
      calendar: accountCalendar(account, clock.calendarNow(account.name)),
    })
    this.#idCollisions.noteAlternations(applied.alternations)
    await churn.notePage({ round: this.#state.pass, reads: applied.compared, events: applied.events })
    if (place !== null)
      await plan.pageShown(RECORD_OF[watch], {
        ...place,
        at: exchange.sentAt,
        emitted: applied.emitted.filter(({ events }) => churn.haveNews(events)),
      })
    this.changed += applied.changed
    this.events += applied.events.length
    // Another one in every pass: a single record that cannot be fetched proves nothing about the others.
    const id = this.#oneOf([...records.keys()])
    if (id !== null) this.#shown = { id }
  }

  #oneOf(ids: readonly string[]): string | null {
    return ids.at(this.#state.pass % Math.max(ids.length, 1)) ?? null
  }

  async #shownId(): Promise<string | null> {
    const shown = this.#shown
    if (shown === null || 'id' in shown) return shown?.id ?? null
    const { account, committer, watch } = this.#options
    return this.#oneOf(await committer.store.idsOn(account.name, RECORD_OF[watch], [shown.skip]))
  }

  async #unmet(): Promise<number> {
    const { account, committer, watch } = this.#options
    return committer.store.unmet(account.name, RECORD_OF[watch], this.#state.pass)
  }

  async #noteRejected(page: ShownPage['page'], { records, exchange }: PageOfRows): Promise<void> {
    const rejected = page.rows.filter((row) => row.kind === 'rejected')
    this.rejected += rejected.length
    const provenance = this.#provenance('page', exchange)
    const sound = [...records.keys()].filter((id) => !this.#idCollisions.has(id))
    await this.#quarantine.note({ sound, rejected, provenance })
  }

  /** What the ids of a page are known by that two records carry. */
  async #knownCollisions({ records }: PageOfRows): Promise<ReadonlyMap<string, JsonObject>> {
    const { account, committer, watch } = this.#options
    const ids = [...records.keys()].filter((id) => this.#idCollisions.has(id))
    if (ids.length === 0) return new Map()
    const states = await committer.store.records(account.name, RECORD_OF[watch], ids)
    return new Map([...states].flatMap(([id, { seen }]) => (seen === null ? [] : [[id, seen] as const])))
  }

  /** Commits the rows that waited and are alone after all, and reports the ids of two records. */
  async #endCollisions(proof: Proof, signal: AbortSignal): Promise<void> {
    const { alone, idCollisions, over, remember, suspects } = this.#idCollisions.end()
    for (const page of alone) await this.#apply(page)
    const how = { proof, hashOf: this.#hashOf, signal }
    const proved = new Set([...idCollisions, ...(await provedCollisions(this.#options, suspects, how))])
    this.#state = {
      ...this.#state,
      idCollisions: remember.map((collision) => ({ ...collision, isProved: proved.has(collision.id) })),
    }
    const rejected = [...proved].map((id) => ({ id, reason: COLLISION }))
    await this.#quarantine.note({ sound: over, rejected, provenance: this.#provenance('pass', this.#lastExchange) })
  }

  async #complete(lastExchange: Exchange, signal: AbortSignal): Promise<void> {
    const proof = fetchProof(this.#options, { quarantine: this.#fetched, signal })
    await this.#endCollisions(proof, signal)
    const { cost, known: listEnd, skips } = this.#course.end
    const state = { ...this.#state, ...listEnd, completedAt: this.#options.clock.now() }
    this.#options.plan.endList(RECORD_OF[this.#options.watch], skips, cost)
    await this.#options.accountClient.readToEnd(this.#options.watch, lastExchange)
    const provenance = this.#provenance('pass', this.#lastExchange)
    if (state.baselinedAt === null)
      return endBaseline(this.#options, { state, count: (await this.#met.all()).size, provenance })
    const { account, committer, watch } = this.#options
    const removals = new Removals(this.#options, { ...this.#start, state, lastExchange, proof, removedBy: 'absence' })
    const missing = await committer.store.missing(account.name, RECORD_OF[watch], state.pass)
    const end = { missing, rows: this.rows, inMotion: this.#inMotion, shownId: await this.#shownId() }
    const settled = await removals.settle(end)
    this.removed = settled.removed
    this.held = settled.held
    this.events += settled.events
  }

  #provenance(by: ProvenanceSource, exchange: Exchange | null): Provenance {
    const exchanges = exchange === null ? [] : [exchange]
    return { by, resource: RECORD_OF[this.#options.watch], exchanges, pass: provenancePass(this.#state) }
  }
}
