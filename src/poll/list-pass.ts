import { fingerprint } from '../detect/fingerprint.ts'
import { accountEvent } from '../detect/account-event.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { meaningPrint } from '../detect/meaning-print.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Hold, HoldReason } from '../model/hold.ts'
import type { JsonObject } from '../model/json.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { Sighting, SightedBy } from '../model/sighting.ts'
import { afterPage, endsList, firstPage, MOST_PAGES, TAKE, type Paging } from '../plan/paging.ts'
import { recognisedAfter } from '../plan/removal.ts'
import type { Page } from '../platform/outcome.ts'
import type { ListState } from '../store/list-state.ts'
import { accountCalendar } from './account-calendar.ts'
import { absorbDrift } from './absorb-drift.ts'
import { applyRows } from './apply-rows.ts'
import { ask, type Answer } from './ask.ts'
import { fetchProof } from './fetch-proof.ts'
import type { ListOptions } from './list-options.ts'
import { Newcomers } from './newcomers.ts'
import { onlyRecords, pageOfRows, type PageOfRows } from './page-of-rows.ts'
import { Quarantine } from './quarantine.ts'
import { Removals } from './removals.ts'
import { sightedPass } from './sighted-pass.ts'
import { Twins } from './twins.ts'

const EMPTY: Page = { rows: [], shipmentIdField: null }

const TWIN = 'Two different records of the list carry this id: only one of them is followed.'

export interface PassStart {
  readonly state: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
  /** Records known before this pass. */
  readonly known: number
  readonly hold: Hold | null
}

/** One pass over a list, committed page by page; what it missed is judged at its end. */
export class ListPass {
  readonly #options: ListOptions
  readonly #start: PassStart
  readonly #quarantine: Quarantine
  /** Of the fetches by id that prove a removal. */
  readonly #fetched: Quarantine
  /** Ids met, to count a baseline and to see rows that come twice because the list moves. */
  readonly #met = new Set<string>()
  readonly #newcomers: Newcomers
  readonly #twins: Twins
  #state: ListState
  #paging: Paging
  #inMotion = false
  /** A record that this pass showed: what a fetch by id would find. */
  #shownId: string | null = null
  #lastExchange: Exchange | null = null
  rows = 0
  rejected = 0
  changed = 0
  removed = 0
  events = 0
  /** Why what the pass missed is not believed; null: it is. */
  held: HoldReason | null = null

  constructor(options: ListOptions, start: PassStart) {
    this.#options = options
    this.#start = start
    this.#state = start.state
    this.#paging = firstPage(start.state.largestPage)
    this.#quarantine = new Quarantine({ ...options, via: 'list' })
    this.#fetched = new Quarantine({ ...options, via: 'item' })
    const { state, known, hold } = start
    const { account, watch } = options
    const ignore = ignoredPaths(account, RECORD_OF[watch])
    this.#twins = new Twins(state.twins, (record) => meaningPrint(RECORD_OF[watch], record, ignore))
    const accepted = hold?.verdict === 'accept' && hold.reason === 'other_account'
    this.#newcomers = new Newcomers(state.baselinedAt === null || accepted ? 0 : recognisedAfter(known))
  }

  get pages(): number {
    return this.#paging.pages
  }

  /** Rows of unknown records that may be another account's, and so were not learnt. */
  get withheld(): number {
    return this.#newcomers.withheld
  }

  /** null when the list was read to its end, otherwise why not. */
  async run(signal: AbortSignal): Promise<string | null> {
    const reason = await this.#readAll(signal)
    const sighting = this.#sighted('pass', this.#lastExchange)
    await this.#quarantine.end({ complete: reason === null, sighting })
    await this.#fetched.end({ complete: false, sighting })
    return reason
  }

  async #readAll(signal: AbortSignal): Promise<string | null> {
    while (this.#paging.pages < MOST_PAGES) {
      const answer = await this.#read(signal)
      if (answer.kind === 'failed') return answer.reason
      const page = answer.value ?? EMPTY
      const seen = { rows: page.rows.length, fingerprint: pageFingerprint(page) }
      const end = endsList(this.#paging, seen)
      this.#paging = afterPage(this.#paging, seen)
      this.#lastExchange = answer.exchange
      await this.#take(page, answer.exchange)
      if (end === 'yes' || (end === 'unless_items_are_unmet' && (await this.#unmet()) === 0)) {
        await this.#complete(answer.exchange, signal)
        return null
      }
    }
    return `the list did not end after ${MOST_PAGES} pages`
  }

  async #read(signal: AbortSignal): Promise<Answer<Page>> {
    const { account, gate, platform, watch } = this.#options
    const request = { skip: this.#paging.skip, take: TAKE, shipmentIdField: account.shipmentIdField }
    return ask(async () => platform.list(RECORD_OF[watch], request, signal), { gate, signal, of: 'list' })
  }

  async #take(page: Page, exchange: Exchange): Promise<void> {
    this.rows += page.rows.length
    const shipmentIdField = page.shipmentIdField ?? this.#state.shipmentIdField
    this.#state = { ...this.#state, largestPage: this.#paging.largestPage, shipmentIdField }
    const rows = pageOfRows(page, exchange, this.#met)
    this.#noteMet(rows, page)
    await this.#admit(rows)
    await this.#noteRejected(page, rows)
    if (this.#state.baselinedAt !== null) return
    const { account, progress, watch } = this.#options
    progress({ account: account.name, watch, done: this.#met.size, total: null })
  }

  #noteMet({ metBefore, records }: PageOfRows, page: Page): void {
    if (metBefore.size > 0) this.#inMotion = true
    for (const id of records.keys()) {
      this.#met.add(id)
    }
    if (page.rows.some(({ id }) => id === null)) this.#inMotion = true
  }

  /** Commits the page, but for unknown records while this may be another account's list. */
  async #admit(rows: PageOfRows): Promise<void> {
    if (this.#newcomers.recognised) return this.#commit(rows)
    const { account, committer, watch } = this.#options
    const ids = [...rows.records.keys(), ...rows.rejectedIds]
    const stored = await committer.store.known(account.name, RECORD_OF[watch], ids)
    const isKnown = (id: string): boolean => stored.get(id)?.removed === false
    this.#newcomers.meet(ids.filter(isKnown))
    if (this.#newcomers.recognised) {
      for (const page of this.#newcomers.release()) await this.#commit(page)
      return this.#commit(rows)
    }
    this.#newcomers.withhold({ ...onlyRecords(rows, (id) => !isKnown(id)), rejectedIds: [] })
    return this.#commit(onlyRecords(rows, isKnown))
  }

  async #commit(page: PageOfRows): Promise<void> {
    await this.#apply(this.#twins.sift(page, await this.#knownTwins(page)))
  }

  async #apply(rows: PageOfRows): Promise<void> {
    this.#state = await absorbDrift(this.#options, this.#state, rows)
    const { records, rejectedIds, exchange, metBefore } = rows
    const { account, churn, clock, committer, watch } = this.#options
    const applied = await applyRows(committer, {
      account,
      resource: RECORD_OF[watch],
      records,
      alsoMet: rejectedIds,
      metBefore,
      exchange,
      list: this.#state,
      absentAt: this.#start.absentAt,
      calendar: accountCalendar(account, clock.calendarNow(account.name)),
    })
    this.#twins.noteAlternations(applied.alternations)
    await churn.notePage({ round: this.#state.pass, reads: applied.compared, events: applied.events })
    this.changed += applied.changed
    this.events += applied.events.length
    // Another one in every pass: a single record that cannot be fetched proves nothing about the others.
    this.#shownId = [...records.keys()].at(this.#state.pass % Math.max(records.size, 1)) ?? this.#shownId
  }

  async #unmet(): Promise<number> {
    const { account, committer, watch } = this.#options
    return committer.store.unmet(account.name, RECORD_OF[watch], this.#state.pass)
  }

  async #noteRejected(page: Page, { records, exchange }: PageOfRows): Promise<void> {
    const rejected = page.rows.filter((row) => row.kind === 'rejected')
    this.rejected += rejected.length
    const sighting = this.#sighted('page', exchange)
    const sound = [...records.keys()].filter((id) => !this.#twins.has(id))
    await this.#quarantine.note({ sound, rejected, sighting })
  }

  /** What the ids of a page are known by that two records carry. */
  async #knownTwins({ records }: PageOfRows): Promise<ReadonlyMap<string, JsonObject>> {
    const { account, committer, watch } = this.#options
    const ids = [...records.keys()].filter((id) => this.#twins.has(id))
    if (ids.length === 0) return new Map()
    const states = await committer.store.records(account.name, RECORD_OF[watch], ids)
    return new Map([...states].flatMap(([id, { seen }]) => (seen === null ? [] : [[id, seen] as const])))
  }

  /** Commits the rows that waited and are alone after all, and reports the ids of two records. */
  async #endTwins(): Promise<void> {
    const { alone, over, remember, twins } = this.#twins.end()
    for (const page of alone) await this.#apply(page)
    this.#state = { ...this.#state, twins: remember }
    const rejected = twins.map((id) => ({ id, reason: TWIN }))
    await this.#quarantine.note({ sound: over, rejected, sighting: this.#sighted('pass', this.#lastExchange) })
  }

  async #complete(lastExchange: Exchange, signal: AbortSignal): Promise<void> {
    await this.#endTwins()
    const completedAt = this.#options.clock.now()
    const state = { ...this.#state, completedAt }
    if (state.baselinedAt === null) return this.#completeBaseline(state, completedAt)
    const { account, committer, watch } = this.#options
    const { known, hold } = this.#start
    const proof = fetchProof(this.#options, { quarantine: this.#fetched, signal })
    const removals = new Removals(this.#options, { state, known, hold, lastExchange, proof, removedBy: 'absence' })
    const missing = await committer.store.missing(account.name, RECORD_OF[watch], state.pass)
    const end = { missing, rows: this.rows, inMotion: this.#inMotion, shownId: this.#shownId }
    const settled = await removals.settle(end)
    this.removed = settled.removed
    this.held = settled.held
    this.events += settled.events
  }

  async #completeBaseline(state: ListState, completedAt: number): Promise<void> {
    const { account, committer, progress, watch } = this.#options
    const baselined = { ...state, baselinedAt: completedAt, baselinePass: state.pass }
    const extras = { resource: watch, count: this.#met.size }
    const type = 'account.baseline_completed'
    await committer.commitAccountEvent({
      account: account.name,
      derive: (before) => accountEvent({ account: account.name, state: before, type, at: completedAt, extras }),
      list: { resource: RECORD_OF[watch], state: baselined },
      sighting: this.#sighted('pass', this.#lastExchange),
    })
    progress({ account: account.name, watch, done: this.#met.size, total: this.#met.size })
  }

  #sighted(by: SightedBy, exchange: Exchange | null): Sighting {
    const exchanges = exchange === null ? [] : [exchange]
    return { by, resource: RECORD_OF[this.#options.watch], exchanges, pass: sightedPass(this.#state) }
  }
}

/** By ids, not by content: a platform that ignores `skip` may render the same rows anew (presigned links). */
function pageFingerprint(page: Page): string {
  return fingerprint({ rows: page.rows.map((row) => row.id ?? row.record) })
}
