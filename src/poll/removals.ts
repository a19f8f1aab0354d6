import type { Clock } from '../clock.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { detectRemoval } from '../detect/removal.ts'
import { isFresh } from '../detect/read-order.ts'
import { accountEvent } from '../detect/account-event.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Exchange } from '../model/exchange.ts'
import type { HeldPass, Hold, HoldReason } from '../model/hold.ts'
import type { JsonObject } from '../model/json.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import type { ProvenanceSource, Provenance } from '../model/provenance.ts'
import { heldPass, holdAfter, isAccepted, isGoneUnproved, mayBeGone, mostBelieved, suspicion } from '../plan/removal.ts'
import type { ListState } from '../store/list-state.ts'
import type { MissingRecord } from '../store/removal-port.ts'
import { accountCalendar } from './account-calendar.ts'
import type { Answer } from './ask.ts'
import type { Committer } from './committer.ts'
import { ownerSummary } from './owner-summary.ts'
import { readOf } from './read-of.ts'
import { provenancePass } from './provenance-pass.ts'

/** So many fetches in a row without an answer, and the rest waits for the next pass. */
const MOST_FAILURES = 3

/** Whether a record exists: `value` is null where it does not. */
export type Proof = (id: string) => Promise<Answer<JsonObject>>

export interface RemovalsOptions {
  readonly account: AccountSettings
  readonly watch: Watchable
  readonly committer: Committer
  readonly clock: Clock
}

export interface CompletePass {
  /** Of the list, the end of this pass in it. */
  readonly state: ListState
  /** Records known before it. */
  readonly known: number
  /** What was held when it began. */
  readonly hold: Hold | null
  /** Its last request. */
  readonly lastExchange: Exchange
  readonly proof: Proof
  /** What explains a removal: that passes over a list missed the record, or the fetches that did not find it. */
  readonly removedBy: 'absence' | 'item'
}

export interface PassEnd {
  /** The known records that it did not meet, fewest misses first; this miss is not counted yet. */
  readonly missing: readonly MissingRecord[]
  /** Rows received, good or bad. */
  readonly rows: number
  /** Rows came twice, or without an id: the pass may have missed what is there. */
  readonly inMotion: boolean
  /** A record that the pass showed; null where it showed none. */
  readonly shownId: string | null
}

export interface Settled {
  readonly removed: number
  readonly events: number
  readonly held: HoldReason | null
}

interface Gone {
  readonly missing: MissingRecord
  /** The fetch by id that answered 404; null where none works: the pass itself has to prove it. */
  readonly notFound: Exchange | null
  readonly accepted: boolean
}

/** Judges what a complete pass missed: removed, held, or to be looked at again (contract section 3.6). */
export class Removals {
  readonly #options: RemovalsOptions
  readonly #pass: CompletePass
  #state: ListState
  #removed = 0
  #events = 0
  #failures = 0

  constructor(options: RemovalsOptions, pass: CompletePass) {
    this.#options = options
    this.#pass = pass
    this.#state = pass.state
  }

  async settle(end: PassEnd): Promise<Settled> {
    const { known, hold } = this.#pass
    const { missing } = end
    const suspect = suspicion({ known, met: known - missing.length, rows: end.rows })
    const suspected = suspect === null ? null : heldPass(suspect, known, missing)
    if (suspected !== null && !isAccepted(hold, suspected)) return this.#hold(suspected)
    await this.#countMisses(missing)
    const counted = missing.map((each) => ({ ...each, misses: each.misses + 1 }))
    const candidates = suspected === null ? counted.filter(mayBeGone) : counted
    const accepted = suspected !== null || isAccepted(hold, heldPass('too_many', known, candidates))
    return this.#judge(candidates, { ...end, accepted })
  }

  get #resource(): RecordResource {
    return RECORD_OF[this.#options.watch]
  }

  async #judge(candidates: readonly MissingRecord[], end: PassEnd & { readonly accepted: boolean }): Promise<Settled> {
    const { known, hold } = this.#pass
    const most = end.accepted ? Number.POSITIVE_INFINITY : mostBelieved(known)
    const [first] = candidates
    if (first === undefined) {
      const stands = hold?.verdict === null && end.missing.length > mostBelieved(known)
      return stands ? this.#settled(hold.reason) : this.#release()
    }
    if (hold !== null && candidates.length > most) return this.#hold(heldPass('too_many', known, candidates))
    const proof = await this.#fetchWorks(end.shownId ?? first.id)
    switch (proof) {
      case 'unknown':
        // Not known to fail for good: it may be a passing trouble, so more passes have to agree.
        return end.accepted ? this.#settled(null) : this.#believePasses(candidates, { ...end, most, inMotion: true })
      case 'works':
        return this.#prove(candidates, { ...end, most })
      case 'never_worked':
        return this.#believePasses(candidates, { ...end, most })
      default:
        return proof satisfies never
    }
  }

  /** Where no fetch by id ever worked, enough complete passes (or a person) say what is gone. */
  async #believePasses(
    candidates: readonly MissingRecord[],
    end: PassEnd & { readonly accepted: boolean; readonly most: number },
  ): Promise<Settled> {
    const gone = candidates.filter((each) => end.accepted || isGoneUnproved(each, end.inMotion))
    if (gone.length > end.most) return this.#hold(heldPass('too_many', this.#pass.known, gone))
    for (const missing of gone) await this.#remove({ missing, notFound: null, accepted: end.accepted })
    return this.#release()
  }

  /**
   * Asks for each by its id, a bounded number a pass. None is removed before it is known that there are not too many: those
   * that no fetch has decided count as if they were gone.
   */
  async #prove(
    candidates: readonly MissingRecord[],
    { accepted, most }: { readonly accepted: boolean; readonly most: number },
  ): Promise<Settled> {
    const gone: Gone[] = []
    const asked = accepted ? candidates : candidates.slice(0, 2 * mostBelieved(this.#pass.known) + 1)
    let undecided = candidates.length
    for (const missing of asked) {
      if (this.#failures >= MOST_FAILURES) break
      const answer = await this.#fetch(missing.id)
      if (answer.kind === 'failed') continue
      undecided -= 1
      const proof = { missing, notFound: answer.exchange, accepted }
      if (answer.value !== null) await this.#exists(missing.id)
      else if (accepted) await this.#remove(proof)
      else gone.push(proof)
      if (gone.length > most) return this.#hold(heldPass('too_many', this.#pass.known, candidates))
    }
    if (gone.length + undecided > most) return this.#settled(null)
    for (const each of gone) await this.#remove(each)
    return accepted && undecided > 0 ? this.#settled(null) : this.#release()
  }

  /** Whether a fetch by id finds what is there: once it did, it is believed from then on. */
  async #fetchWorks(shownId: string): Promise<'works' | 'never_worked' | 'unknown'> {
    if (this.#state.fetchWorks) return 'works'
    const answer = await this.#fetch(shownId)
    if (answer.kind === 'failed') return answer.why === 'trouble' ? 'unknown' : 'never_worked'
    if (answer.value === null) return 'never_worked'
    await this.#exists(shownId)
    return 'works'
  }

  async #fetch(id: string): Promise<Answer<JsonObject>> {
    const answer = await this.#pass.proof(id)
    this.#failures = answer.kind === 'failed' ? this.#failures + 1 : 0
    return answer
  }

  /** A fetch by id proves existence and nothing else: what changed is told by the list (contract section 3.3). */
  async #exists(id: string): Promise<void> {
    this.#state = { ...this.#state, fetchWorks: true }
    const { account, committer } = this.#options
    const met = { resource: this.#resource, ids: [id] }
    const list = { resource: this.#resource, state: this.#state }
    await committer.commit(async () => ({ account: account.name, records: [], events: [], met, list }))
  }

  async #remove(gone: Gone): Promise<void> {
    const { id, lastPass } = gone.missing
    const read = readOf(gone.notFound ?? this.#pass.lastExchange)
    const { account, clock, committer } = this.#options
    let isRemoved = true
    const events = await committer.commit(async () => {
      const before = (await committer.store.records(account.name, this.#resource, [id])).get(id)
      isRemoved = before !== undefined && !isSeenSince(read, before)
      if (before === undefined || !isRemoved) return { account: account.name, records: [], events: [] }
      const shipment = await ownerSummary(committer.store, account.name, before.seen ?? {})
      const mode = this.#wasEmitted(lastPass) ? 'ring' : 'silent'
      const list = { account: account.name, resource: this.#resource, ignore: ignoredPaths(account, this.#resource) }
      const { absorbed } = this.#state
      const calendar = accountCalendar(account, clock.calendarNow(account.name))
      const input = { ...list, absorbed, before, read, mode, shipment, calendar } as const
      const { state, events } = detectRemoval(input)
      const records = [{ state, contentHash: null, expectedVersion: before.version }]
      return { account: account.name, records, events, provenance: this.#absenceProvenance(gone) }
    })
    this.#removed += isRemoved ? 1 : 0
    this.#events += events.length
  }

  #absenceProvenance({ missing, notFound, accepted }: Gone): Provenance {
    if (this.#pass.removedBy === 'item') {
      return { by: 'item', resource: this.#resource, exchanges: notFound === null ? [] : [notFound] }
    }
    const { misses, lastPass } = missing
    return { ...this.#provenance('absence', notFound), missed: { passes: misses, lastMetBy: lastPass, accepted } }
  }

  #provenance(by: ProvenanceSource, exchange: Exchange | null): Provenance {
    const exchanges = exchange === null ? [] : [exchange]
    return { by, resource: this.#resource, exchanges, pass: provenancePass(this.#state) }
  }

  /** What only an interrupted baseline showed is known to nobody outside. */
  #wasEmitted(lastPass: number): boolean {
    return this.#options.account.firstPoll === 'emit' || lastPass >= (this.#state.baselinePass ?? 0)
  }

  async #countMisses(missing: readonly MissingRecord[]): Promise<void> {
    const { account, committer } = this.#options
    const missed = { resource: this.#resource, ids: missing.map(({ id }) => id) }
    const list = { resource: this.#resource, state: this.#state }
    await committer.commit(async () => ({ account: account.name, records: [], events: [], missed, list }))
  }

  /** The pass is over and its removals are not believed; a verdict given while it ended is left for the next one. */
  async #hold(pass: HeldPass): Promise<Settled> {
    const { account, committer, watch } = this.#options
    const at = this.#state.completedAt ?? 0
    const resource = this.#resource
    const events = await committer.commit(async () => {
      const nothing = { account: account.name, records: [], events: [], list: { resource, state: this.#state } }
      const before = await committer.store.hold(account.name, resource)
      if (before?.verdict !== this.#pass.hold?.verdict) return nothing
      const { hold, rings } = holdAfter(before, pass, at)
      const held = { ...nothing, hold: { resource, hold, expectedVerdict: before?.verdict ?? null } }
      if (!rings) return held
      const known = (await committer.store.records(account.name, 'account', [account.name])).get(account.name) ?? null
      const extras = { resource: watch, ...pass, sample: [...pass.sample] }
      const type = 'account.removals_held'
      const { state, event } = accountEvent({ account: account.name, state: known, type, at, extras })
      const record = { state, contentHash: null, expectedVersion: known?.version ?? null }
      return {
        ...held,
        records: [record],
        events: [event],
        provenance: this.#provenance('pass', this.#pass.lastExchange),
      }
    })
    this.#events += events.length
    return this.#settled(pass.reason)
  }

  /** The pass is believed: what was held before it is over. */
  async #release(): Promise<Settled> {
    const { account, committer } = this.#options
    const resource = this.#resource
    if (this.#pass.hold === null) return this.#settled(null)
    await committer.commit(async () => {
      const expectedVerdict = (await committer.store.hold(account.name, resource))?.verdict ?? null
      return { account: account.name, records: [], events: [], hold: { resource, hold: null, expectedVerdict } }
    })
    return this.#settled(null)
  }

  #settled(held: HoldReason | null): Settled {
    return { removed: this.#removed, events: this.#events, held }
  }
}

/** Something else showed the record while it was judged: what did not find it is older. */
function isSeenSince(read: Read, { lastRead }: RecordState): boolean {
  return !isFresh(read, lastRead) && lastRead.sentAt !== read.sentAt
}
