import { isFresh, type Read, type RecordState } from '../../model/record-state.ts'
import { detectRemoval } from '../../detect/removal.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { HeldPass, HoldReason } from '../../model/hold.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../../model/resource.ts'
import type { Provenance } from '../../model/provenance.ts'
import {
  heldPass,
  holdAfter,
  isAccepted,
  isGoneUnproved,
  mayBeGone,
  mostBelieved,
  suspicion,
} from '../../plan/removal.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { ListState, MissingRecord } from '../../store/ports/list-port.ts'
import type { AccountContext } from '../account-context.ts'
import { ownersOf, provenancePass, readOf, recordFacts, summaryOf } from '../ingest/record-facts.ts'
import { accountNews, updateRecord } from '../ingest/update-record.ts'
import type { ReadResult } from '../requests/read-result.ts'
import { Unproved, type CompletePass, type PassEnd, type Settled } from './unproved.ts'

/** After so many fetches in a row without an answer the rest waits for the next pass. */
const MOST_FAILURES = 3

interface RemovalsOf extends Pick<AccountContext, 'account' | 'committer' | 'clock'> {
  readonly watch: Watchable
}

interface Gone {
  readonly missing: MissingRecord
  /** The fetch by id that answered 404; null where none works: the pass itself has to prove it. */
  readonly notFound: Exchange | null
  readonly accepted: boolean
}

/** Judges what a complete pass missed: removed, held, or to be looked at again (guarantee D6). */
export class Removals {
  readonly #context: RemovalsOf
  readonly #pass: CompletePass
  #state: ListState
  #removed = 0
  #events = 0
  #failures = 0
  #unproved: Unproved | null = null
  /** Ids of records that were found to exist, or removed. */
  readonly #settledIds = new Set<string>()

  constructor(context: RemovalsOf, pass: CompletePass) {
    this.#context = context
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
    const unproved = await Unproved.load(this.#context, this.#pass.failedProofs ?? new Map())
    this.#unproved = unproved
    const others = counted.filter(({ id }) => !unproved.has(id))
    const candidates = suspected === null ? others.filter(mayBeGone) : others
    const accepted = suspected !== null || isAccepted(hold, heldPass('too_many', known, candidates))
    const { held } = await this.#judge(candidates, { ...end, missing: others, accepted })
    await this.#judgeUnproved(counted)
    return this.#settled(held)
  }

  /** What waits for a person, and what begins to. */
  async #judgeUnproved(counted: readonly MissingRecord[]): Promise<void> {
    const { known, lastExchange } = this.#pass
    for (const { missing, verdict } of this.#unproved?.due(counted, this.#state.pass) ?? []) {
      const answer = await this.#fetch(missing.id)
      if (answer.kind === 'read' && answer.value !== null) await this.#exists(missing.id)
      else if (answer.kind === 'read') await this.#remove({ missing, notFound: answer.exchange, accepted: false })
      else if (verdict === 'accept') await this.#remove({ missing, notFound: null, accepted: true })
    }
    const left = counted.filter(({ id }) => !this.#settledIds.has(id))
    const pass = provenancePass(this.#state)
    const provenance: Provenance = { by: 'pass', resource: this.#resource, exchanges: [lastExchange], pass }
    const at = this.#state.completedAt ?? 0
    this.#events += (await this.#unproved?.settle({ at, known, left, provenance })) ?? 0
  }

  get #resource(): RecordResource {
    return RECORD_OF[this.#context.watch]
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
        // A person's word does not stand for a fetch that may fail only for now.
        return end.accepted ? this.#settled(null) : this.#believePasses(candidates, { ...end, most })
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
   * Fetches each candidate by its id, a bounded number in a pass, first those whose fetches have failed least. None is removed
   * before it is known that they are not too many. Candidates that no fetch has decided count as gone. A fetch that shows the
   * namesake of one proves nothing: there passes decide.
   */
  async #prove(
    candidates: readonly MissingRecord[],
    { accepted, inMotion, most }: Pick<PassEnd, 'inMotion'> & { readonly accepted: boolean; readonly most: number },
  ): Promise<Settled> {
    const gone: Gone[] = []
    const inTurn = candidates.toSorted((one, other) => this.#failuresOf(one) - this.#failuresOf(other))
    const asked = accepted ? inTurn : inTurn.slice(0, 2 * mostBelieved(this.#pass.known) + 1)
    let undecided = candidates.length
    for (const missing of asked) {
      if (this.#failures >= MOST_FAILURES) break
      const answer = await this.#fetch(missing.id)
      if (answer.kind === 'failed') {
        if (answer.why !== 'namesake') continue
        undecided -= 1
        if (isGoneUnproved(missing, inMotion)) gone.push({ missing, notFound: null, accepted })
        continue
      }
      undecided -= 1
      const proof = { missing, notFound: answer.exchange, accepted }
      if (answer.value !== null) await this.#exists(missing.id)
      else if (accepted) await this.#remove(proof)
      else gone.push(proof)
      if (gone.length > most) return this.#hold(heldPass('too_many', this.#pass.known, candidates))
    }
    undecided -= candidates.filter((each) => this.#unproved?.isNew(each)).length
    if (gone.length + undecided > most) return this.#settled(null)
    for (const each of gone) await this.#remove(each)
    return accepted && undecided > 0 ? this.#settled(null) : this.#release()
  }

  #failuresOf({ id }: MissingRecord): number {
    return this.#unproved?.failuresOf(id) ?? 0
  }

  /** Whether a fetch by id finds what is there: once it did, it is believed from then on. */
  async #fetchWorks(shownId: string): Promise<'works' | 'never_worked' | 'unknown'> {
    if (this.#state.fetchWorks) return 'works'
    const answer = await this.#fetch(shownId)
    if (answer.kind === 'failed' && answer.why === 'trouble') return 'unknown'
    const shows = answer.kind === 'failed' ? answer.why === 'namesake' : answer.value !== null
    if (!shows) return 'never_worked'
    await this.#exists(shownId)
    return 'works'
  }

  async #fetch(id: string): Promise<ReadResult<JsonObject>> {
    const answer = await this.#pass.proof(id)
    const isFailed = answer.kind === 'failed' && answer.why !== 'namesake'
    this.#failures = isFailed ? this.#failures + 1 : 0
    if (answer.exchange !== null) this.#unproved?.noteProof(id, isFailed)
    return answer
  }

  /** A fetch by id proves existence and nothing else: changes come from the list (guarantee D3). */
  async #exists(id: string): Promise<void> {
    this.#state = { ...this.#state, fetchWorks: true }
    this.#settledIds.add(id)
    await this.#commit([{ kind: 'met', resource: this.#resource, ids: [id] }, this.#list])
  }

  async #remove(gone: Gone): Promise<void> {
    const { account, committer } = this.#context
    const { id, lastPass } = gone.missing
    const read = readOf(gone.notFound ?? this.#pass.lastExchange)
    const removed = await updateRecord(
      committer,
      { account: account.name, resource: this.#resource, id },
      async (before) => {
        if (before === null || isSeenSince(read, before)) return null
        const owners = await ownersOf(committer.store, account.name, [[id, before.seen ?? {}]])
        const facts = recordFacts(this.#context, this.#resource, this.#state.absorbed)
        const mode = this.#wasEmitted(lastPass) ? 'ring' : 'silent'
        const detected = detectRemoval({ ...facts, before, read, mode, shipment: summaryOf(owners.get(id)) })
        return { ...detected, provenance: this.#absenceProvenance(gone) }
      },
    )
    this.#settledIds.add(id)
    this.#removed += removed === null ? 0 : 1
    this.#events += removed?.events.length ?? 0
  }

  #absenceProvenance({ missing, notFound, accepted }: Gone): Provenance {
    const exchanges = notFound === null ? [] : [notFound]
    if (this.#pass.removedBy === 'item') return { by: 'item', resource: this.#resource, exchanges }
    const missed = { passes: missing.misses, lastMetBy: missing.lastPass, accepted }
    return { by: 'absence', resource: this.#resource, exchanges, pass: provenancePass(this.#state), missed }
  }

  /** A record that only an interrupted baseline showed is known to nobody outside, so its removal is silent. */
  #wasEmitted(lastPass: number): boolean {
    return this.#context.account.firstPoll === 'emit' || lastPass >= (this.#state.baselinePass ?? 0)
  }

  async #countMisses(missing: readonly MissingRecord[]): Promise<void> {
    await this.#commit([{ kind: 'missed', resource: this.#resource, ids: missing.map(({ id }) => id) }, this.#list])
  }

  /** The pass is over and its removals are not believed. A verdict that came meanwhile is left for the next pass. */
  async #hold(pass: HeldPass): Promise<Settled> {
    const { account, committer, watch } = this.#context
    const { store } = committer
    const at = this.#state.completedAt ?? 0
    const resource = this.#resource
    const held = await committer.commit(account.name, async () => {
      const { hold: before } = await store.doubts(account.name, resource)
      if (before?.verdict !== this.#pass.hold?.verdict) return { changes: [this.#list], events: [] }
      const { hold, rings } = holdAfter(before, pass, at)
      const expectedVerdict = before?.verdict ?? null
      const changes: readonly BatchChange[] = [this.#list, { kind: 'hold', resource, hold, expectedVerdict }]
      if (!rings) return { changes, events: [] }
      const extras = { resource: watch, ...pass, sample: [...pass.sample] }
      const news = await accountNews(store, account.name, () => ({ type: 'account.removals_held', at, extras }))
      const exchanges = [this.#pass.lastExchange]
      const provenance: Provenance = { by: 'pass', resource, exchanges, pass: provenancePass(this.#state) }
      return { changes, events: [], ...news, provenance }
    })
    this.#events += held?.events.length ?? 0
    return this.#settled(pass.reason)
  }

  /** The pass is believed: what was held before it is over. */
  async #release(): Promise<Settled> {
    const { account, committer } = this.#context
    const resource = this.#resource
    if (this.#pass.hold === null) return this.#settled(null)
    await committer.commit(account.name, async () => {
      const expectedVerdict = (await committer.store.doubts(account.name, resource)).hold?.verdict ?? null
      return { changes: [{ kind: 'hold', resource, hold: null, expectedVerdict }] }
    })
    return this.#settled(null)
  }

  get #list(): BatchChange {
    return { kind: 'list', resource: this.#resource, state: this.#state }
  }

  async #commit(changes: readonly BatchChange[]): Promise<void> {
    await this.#context.committer.commit(this.#context.account.name, async () => ({ changes }))
  }

  #settled(held: HoldReason | null): Settled {
    return { removed: this.#removed, events: this.#events, held }
  }
}

/** Whether something has shown the record since: then the read that did not find it is older. */
function isSeenSince(read: Read, { lastRead }: RecordState): boolean {
  return !isFresh(read, lastRead) && lastRead.sentAt !== read.sentAt
}
