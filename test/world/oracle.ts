import { watchedAs } from '../../src/model/resource.ts'
import type { BatchChange, ReadBatch } from '../../src/store/ports/commit-port.ts'
import type { AccountFacts } from './account-facts.ts'
import { CalendarWatch, type LivedRound } from './calendar-watch.ts'
import { created, differences, kindOf } from './expected.ts'
import { same, type AnyFacts, type Resource } from './facts.ts'
import type { Fault } from './fault.ts'
import { KnownRecords } from './known-records.ts'
import { Known } from './known.ts'
import { PassLedger } from './pass-ledger.ts'
import { PendingAnswers, type Shown } from './pending-answers.ts'
import { Tally } from './tally.ts'
import { isItem, isResource, keyOf, RESOURCES, resourceOf } from './watched.ts'

/**
 * What was observable: it hears every answer given and every commit that lasted, and says which events must have rung by
 * then. It knows the facts behind the answers and the guarantees, and nothing of how changes are detected.
 */
export class Oracle {
  readonly #account: AccountFacts
  readonly #today: () => number
  readonly #known = new KnownRecords()
  /** Answers that were given and not yet committed. */
  readonly #pending = new PendingAnswers()
  /** When the answer was made that was applied last to a record. */
  readonly #applied = new Map<string, number>()
  readonly #ledger = new PassLedger()
  readonly #calendar: CalendarWatch
  readonly #baselined = new Set<string>()
  /** Lists whose baseline met rows twice, and so left rows out, with when it ended: what they show first is no news. */
  readonly #catchingUp = new Map<string, number>()
  /** Items whose first read is over. */
  readonly #read = new Set<string>()
  #silentTracking: ReadonlySet<string> | null = null
  readonly tally = new Tally()
  #faulted = false
  /** Whether a round of order preparations ended since the last pass. */
  #areItemsJudged = false

  constructor(account: AccountFacts, today: () => number) {
    this.#account = account
    this.#today = today
    this.#calendar = new CalendarWatch({ known: this.#known, tally: this.tally, today })
  }

  // ── what the platform says ──────────────────────────────────────────────────────────────────────────────────────────

  /** A page of a list was answered with so many rows. */
  page(resource: Resource, rows: number): void {
    this.#ledger.page(resource, rows)
  }

  /** A row of a list, or an item that is read for its content. */
  shown(row: Shown): void {
    this.#pending.add(row)
    if (row.facts !== null && !isItem(row.resource)) this.#ledger.shown(row.resource, row.id)
  }

  /** A row that cannot be understood. */
  met(resource: Resource, id: string): void {
    this.#ledger.met(resource, id)
  }

  /** A record of a list was fetched by its id. */
  fetched({ resource, id, facts, answeredAt }: Shown): void {
    this.#ledger.fetched(resource, { id, answer: facts === null ? 'absent' : 'found' })
    if (!this.#isVerification(resource)) return
    const { facts: known = null, readAt = 0 } = this.#known.get(keyOf(resource, id)) ?? {}
    this.#calendar.fetched(id, { facts, known, at: answeredAt, readAt })
  }

  /** A request came to nothing. */
  faulted({ resource, id, isFinal }: Fault): void {
    this.#faulted = true
    if (id !== null && isFinal) this.#ledger.fetched(resource, { id, answer: 'failed' })
  }

  // ── what the process does ───────────────────────────────────────────────────────────────────────────────────────────

  passStarted(resource: string): void {
    if (resource === 'order_preparation' && this.#ledger.isRoundJudged(resource)) this.#passIsComplete(resource)
    this.#ledger.start(resource, this.#misses(resource), this.#baselined.has(resource))
    if (resource === 'tracking') this.#silentTracking ??= new Set(this.#known.of('shipment').map(({ id }) => id))
  }

  committed(batch: ReadBatch): void {
    this.#judgeItems(batch)
    const isOfExpectations = batch.changes.some(({ kind }) => kind === 'expectations')
    for (const { state, read } of batch.records) {
      // What is derived of several records is no look of the calendar: `OrderFates` and `MissedExpectations` judge it.
      const isDerived = read === 'none' && (isOfExpectations || state.resource === 'purchase_order')
      if (!isResource(state.resource) || isDerived) continue
      const known = this.#known.get(keyOf(state.resource, state.id))
      if (read === 'none') this.#calendar.ring(keyOf(state.resource, state.id))
      else if (state.removedAt !== null && known?.removed === false) this.#remove(state.resource, state.id)
      else this.#apply(state.resource, state.id, state.lastRead.answeredAt)
    }
    for (const change of batch.changes) this.#hear(change)
  }

  #hear(change: BatchChange): void {
    switch (change.kind) {
      case 'unchanged':
        if (!isResource(change.resource)) return
        for (const id of change.ids) this.#apply(change.resource, id, change.read.answeredAt)
        return
      case 'met':
        for (const id of change.ids) this.#exists(change.resource, id)
        return
      case 'missed':
        for (const id of change.ids) this.#miss(change.resource, id)
        return
      case 'hold':
        return this.#held(change)
      case 'list':
        if (change.state.baselinedAt !== null) this.#baseline(change.resource)
        return this.#catchUp(change)
      case 'page':
      case 'ahead':
      case 'unproved':
      case 'topic':
      case 'taken':
      case 'remind':
      case 'reminded':
      case 'links':
      case 'arrivals':
      case 'expectations':
      case 'requests':
      case 'quarantine':
      case 'snapshot':
      case 'learnt':
      case 'churning':
      case 'audit':
      case 'lying_validators':
      case 'pause':
      case 'ceiling':
        return
      default:
        change satisfies never
    }
  }

  /** What was answered and not committed is lost with the process. */
  killed(): void {
    this.#pending.clear()
    for (const resource of RESOURCES) this.#ledger.over(resource)
  }

  /** A process begins: nothing was verified for it. */
  started(): void {
    this.#calendar.started()
  }

  /** A pass over a list, or all that is read item by item; `complete`: it was read to its end. */
  passEnded(watch: string, complete: boolean, endedAt: number): void {
    const resource = resourceOf(watch)
    if (resource === null) return
    for (const row of this.#pending.drop(resource)) {
      if (!this.#mayBeDropped(row)) this.tally.complain(`${keyOf(resource, row.id)}: an answer was never applied`)
    }
    if (complete && resource === 'invoice') this.#calendar.passEnded(endedAt)
    if (resource === 'order_preparation' && complete) this.#demandRound()
    if (isItem(resource)) return
    if (complete) this.#passIsComplete(resource)
    this.#ledger.over(resource)
  }

  /** A round ended in which the process lived. */
  roundEnded(round: LivedRound): void {
    this.#calendar.roundEnded(round)
  }

  nextRound(): void {
    this.#calendar.nextRound()
    this.#faulted = false
    this.#areItemsJudged = false
  }

  /** An operator judged a hold; `obeyed`: there was one to judge. */
  judged(resource: Resource, verdict: 'accept' | 'reject', obeyed: boolean): void {
    this.tally.complain(...this.#ledger.judged(resource, verdict, obeyed))
    if (!obeyed || verdict === 'accept') return
    for (const known of this.#known.of(resource)) known.misses = 0
  }

  isRemoved(resource: string, id: string): boolean {
    return this.#known.get(keyOf(resource, id))?.removed === true
  }

  /** Whether what is gone from it may stay known, for it is not believed. */
  isHeld(resource: Resource): boolean {
    const isInDoubt = resource === 'order_preparation' && this.#ledger.isAnyInDoubt(resource)
    return isInDoubt || this.#ledger.isHeld(resource)
  }

  /** What is known to be there. */
  present(resource: Resource): ReadonlyMap<string, AnyFacts> {
    return this.#known.factsOf(resource)
  }

  // ── the rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #apply(resource: Resource, id: string, answeredAt: number): void {
    const key = keyOf(resource, id)
    const row = this.#pending.take(key, answeredAt)
    // A page whose records were committed ahead of it says of them again what it said.
    if (row === null && this.#applied.get(key) === answeredAt) return
    this.#applied.set(key, answeredAt)
    const isItemOfRound = resource === 'order_preparation'
    if (row === null || (row.facts === null && !isItemOfRound)) {
      return this.tally.complain(`${key}: what no answer showed was applied`)
    }
    if (isItemOfRound) this.#ledger.itemRead(resource, id, row.facts === null ? 'absent' : 'shown')
    if (row.facts !== null) this.#meet(row, row.facts)
    if (isItem(resource)) this.#read.add(key)
  }

  #meet(row: Shown, facts: AnyFacts): void {
    const { resource, id } = row
    const key = keyOf(resource, id)
    const isNew = this.#known.get(key)?.removed !== false
    if (isNew && !isItem(resource) && !this.#ledger.isRecognised(resource)) {
      this.tally.complain(`${key}: learnt from what may be another account's list`)
    }
    this.#learn(row, facts)
  }

  #learn({ resource, id, answeredAt }: Shown, facts: AnyFacts): void {
    const key = keyOf(resource, id)
    const known = this.#known.get(key)
    const emitted = this.#tells(resource, id)
    const isLate = emitted && this.#isCatchingUp(resource, answeredAt)
    const today = this.#today()
    if (known === undefined) {
      const isEmitted = emitted || resource === 'order_preparation'
      const first = new Known({ id, facts, emitted: isEmitted, atBaseline: !emitted || isLate, account: this.#account })
      this.#known.set(key, first)
      if (resource === 'tracking' ? !this.#isSilent(id) : emitted && !isLate) this.tally.expect(key, created(facts))
      this.tally.expect(key, first.read(facts, { how: emitted && !isLate ? 'ring' : 'silent', today, answeredAt }))
      return
    }
    if (known.removed) this.tally.expect(key, emitted ? returned(facts, known.emitted) : [])
    else if (emitted || resource === 'tracking') this.tally.expect(key, differences(known.facts, facts, known.dueRang))
    const how = !emitted ? 'silent' : known.removed ? 'back' : 'ring'
    this.tally.expect(key, known.read(facts, { how, today, answeredAt }))
    known.emitted ||= emitted
  }

  /** Whether a read of it rings: its list has a baseline, or it is an item that was read before. */
  #tells(resource: Resource, id: string): boolean {
    return this.#baselined.has(resource) || (resource === 'order_preparation' && this.#read.has(keyOf(resource, id)))
  }

  /** The first read of an item known at its list's baseline, or when its tracking began to be read. */
  #isSilent(id: string): boolean {
    return this.#known.get(keyOf('shipment', id))?.atBaseline === true || this.#silentTracking?.has(id) === true
  }

  #baseline(resource: string): void {
    if (this.#baselined.has(resource)) return
    this.#baselined.add(resource)
    if (resource === 'order_preparation') this.#areItemsJudged = true
    for (const id of this.#ledger.metBy(resource)) {
      const known = this.#known.get(keyOf(resource, id))
      if (known !== undefined) known.emitted = true
    }
  }

  /** Only a baseline that met a row twice leaves something to catch up with, and no process begins that later. */
  #catchUp({ resource, state }: Extract<BatchChange, { readonly kind: 'list' }>): void {
    const isKnown = this.#catchingUp.has(resource)
    if (state.gaps.catchingUp === null) {
      this.#catchingUp.delete(resource)
      return
    }
    if (!isKnown && !this.#ledger.hasMoved(resource)) this.tally.complain(`${resource}: catches up with nothing`)
    this.#catchingUp.set(resource, state.baselinedAt ?? 0)
  }

  #isCatchingUp(resource: string, at: number): boolean {
    const since = this.#catchingUp.get(resource)
    return since !== undefined && at - since <= DAY_MS
  }

  /** The first thing that is written of a round's end are its misses, or a hold. */
  #judgeItems({ changes }: ReadBatch): void {
    const resource = 'order_preparation'
    const isOfEnd = (change: BatchChange): boolean =>
      (change.kind === 'missed' || change.kind === 'hold') && change.resource === resource
    if (!changes.some(isOfEnd)) return
    this.tally.complain(...this.#ledger.judgeRound(resource, this.#misses(resource)))
    this.#areItemsJudged = true
  }

  /** What a pass over the invoices fetches decides about removals; the calendar asks for itself. */
  #isVerification(resource: Resource): boolean {
    return resource === 'invoice' && !this.#ledger.isRunning(resource)
  }

  #passIsComplete(resource: Resource): void {
    const isRemoved = (id: string): boolean => this.isRemoved(resource, id)
    this.tally.complain(...this.#ledger.end(resource, { isRemoved, isExcused: this.#faulted }))
  }

  /** Every order preparation was read: that ends a round, but where something is missing while a list is not believed. */
  #demandRound(): void {
    const missing = this.#ledger.notFound('order_preparation', this.#known.present('order_preparation').keys())
    const waits = missing.length > 0 && this.#ledger.isAnyInDoubt('order_preparation')
    if (!waits && !this.#areItemsJudged) this.tally.complain('order_preparation: a round that read all did not end')
  }

  #misses(resource: string): ReadonlyMap<string, number> {
    return new Map([...this.#known.present(resource)].map(([id, known]) => [id, known.misses]))
  }

  #exists(resource: string, id: string): void {
    this.#ledger.fetchFound(resource, id)
    const known = this.#known.get(keyOf(resource, id))
    if (known !== undefined) known.misses = 0
  }

  #miss(resource: string, id: string): void {
    const key = keyOf(resource, id)
    const known = this.#known.get(key)
    const complaint = this.#ledger.missed(resource, id)
    if (complaint !== null) this.tally.complain(`${key}: ${complaint}`)
    if (known === undefined || known.removed) this.tally.complain(`${key}: missed though unknown`)
    else known.misses += 1
  }

  #remove(resource: Resource, id: string): void {
    const key = keyOf(resource, id)
    const known = this.#known.get(key)
    if (known === undefined) return
    if (!this.#ledger.isGone(resource, id)) this.tally.complain(`${key}: removed without proof`)
    known.remove()
    if (known.emitted) this.tally.expect(key, [`${kindOf(known.facts)}.removed`])
  }

  #held({ resource, hold }: Extract<BatchChange, { readonly kind: 'hold' }>): void {
    const { violations, rings } = this.#ledger.wroteHold(resource, hold?.reason ?? null)
    this.tally.complain(...violations)
    if (rings === null) return
    this.tally.expect(`account ${this.#account.account}`, [`account.removals_held ${watchedAs(resource)} ${rings}`])
  }

  /**
   * A row of an unknown record may be another account's; a removed shipment's tracking is not read; what a pass shows once more as it is
   * known already tells nothing. What it shows twice is told apart by another look: where a request fails it waits for the next pass.
   */
  #mayBeDropped({ facts, id, resource }: Shown): boolean {
    if (resource === 'tracking') return this.isRemoved('shipment', id)
    if (isItem(resource)) return false
    const known = this.#known.get(keyOf(resource, id))
    const isUntold = this.#faulted && this.#ledger.hasShownTwice(resource, id)
    if (known?.removed === false) return isUntold || (this.#ledger.hasMoved(resource) && same(known.facts, facts))
    return !this.#ledger.isRecognised(resource)
  }
}

const DAY_MS = 86_400_000

/** Back; or new, where it went as silently as it came in an interrupted baseline. */
function returned(facts: AnyFacts, emitted: boolean): readonly string[] {
  return emitted ? [`${kindOf(facts)}.restored`] : created(facts)
}
