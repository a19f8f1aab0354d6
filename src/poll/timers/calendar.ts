import { dueAlarms, ringEdges } from '../../detect/calendar/ring-edges.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { DueRecord } from '../../store/ports/record-port.ts'
import { accountCalendar, calendarFingerprint, ownersOf, summaryOf } from '../ingest/record-facts.ts'
import { updateRecord, type Revision } from '../ingest/update-record.ts'
import type { PollContext } from '../poll-context.ts'
import type { ClockWatch } from '../requests/clock-watch.ts'
import { inParallel } from '../requests/in-parallel.ts'
import { calendarPauseMs } from './timer-pause.ts'
import { InvoiceVerifier, type Verification } from './invoice-verification.ts'

/** Invoices verified in one round: few enough that what falls due meanwhile need not wait long. */
const BATCH_PER_SLOT = 25

/** A shipment is looked at only once it was read after its edge: that read verifies it. */
const BY_ITS_READ: Verification = { confirms: () => true, answer: null, by: { exchanges: [] } }
const UNVERIFIED: Verification = { confirms: () => false, answer: null, by: { exchanges: [] } }

/** Rings what time alone brings about: due dates and milestones that pass. */
export class Calendar {
  readonly #context: PollContext
  readonly #clocks: ClockWatch
  /** What verifies invoices that are due; null: none was due yet. */
  #verifier: InvoiceVerifier | null = null
  #configured = false
  #more = false

  constructor(context: PollContext, clocks: ClockWatch) {
    this.#context = context
    this.#clocks = clocks
  }

  /** Looks at every record that has an edge behind it and rings what can be rung now. Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    const { account, clock, log } = this.#context
    const startedAt = clock.now()
    await this.#configure()
    const due = await this.#due()
    const invoices = due.filter(({ resource }) => resource === 'invoice')
    this.#verifier?.keepOnly(new Set(invoices.map(({ id }) => id)))
    let rang = 0
    for (const { resource, id } of due) {
      if (resource === 'shipment' && !signal.aborted) rang += await this.#lookAtShipment(id)
    }
    if (invoices.length > 0) this.#verifier ??= new InvoiceVerifier(this.#context)
    if (this.#verifier !== null) rang += await this.#lookAtInvoices(this.#verifier, invoices, signal)
    const line = { account: account.name, events: rang, waiting: this.#retryAt !== null }
    if (rang > 0) log.info({ ...line, duration_ms: clock.now() - startedAt }, 'calendar.rang')
    return rang
  }

  /** Verifies and rings the first of the invoices that are due. Returns how many events rang. */
  async #lookAtInvoices(verifier: InvoiceVerifier, due: readonly DueRecord[], signal: AbortSignal): Promise<number> {
    const { concurrency } = this.#context.account.budget
    let rang = 0
    await verifier.notePasses()
    const ready = due.filter(({ id }) => verifier.isReady(id))
    const batch = ready.slice(0, BATCH_PER_SLOT * concurrency)
    await inParallel(batch, concurrency, async ({ id }) => {
      rang += await this.#lookAtInvoice(verifier, id, signal)
    })
    await verifier.endRound()
    this.#more = batch.length < ready.length
    return rang
  }

  /** Rounds until nothing more can be rung now; resolves to how many invoices still wait to be verified. */
  async settle(signal: AbortSignal): Promise<number> {
    do await this.round(signal)
    while (this.#more && !signal.aborted)
    return this.#verifier?.waiting ?? 0
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    if (this.#more) return 0
    const { account, clock, committer } = this.#context
    const now = clock.now()
    const today = this.#clocks.ownNow()
    const [next] = await committer.store.calendar.due(account.name, { after: today, most: 1 })
    const waits = [(next?.at ?? Number.MAX_VALUE) - today, (this.#retryAt ?? Number.MAX_VALUE) - now]
    return calendarPauseMs(this.#context, today, waits)
  }

  /** When the next invoice that was not verified is looked at again; null: none waits. */
  get #retryAt(): number | null {
    return this.#verifier?.nextRetryAt ?? null
  }

  /** Makes the account's zone, leads and grace known, once. */
  async #configure(): Promise<void> {
    if (this.#configured) return
    const { account, committer } = this.#context
    await committer.store.calendar.configure(account.name, calendarFingerprint(account))
    this.#configured = true
  }

  /** What is due of the watched lists whose baseline is complete. */
  async #due(): Promise<readonly DueRecord[]> {
    const { account, committer } = this.#context
    const { store } = committer
    const due = await store.calendar.due(account.name, { until: this.#clocks.ownNow() })
    if (due.length === 0) return due
    const watched = new Set<RecordResource>()
    for (const [watch, resource] of [
      ['shipments', 'shipment'],
      ['invoices', 'invoice'],
    ] as const) {
      const list = account.watch[watch] && (await store.listState(account.name, resource))
      if (list !== undefined && list.baselinedAt !== null) watched.add(resource)
    }
    return due.filter(({ resource }) => watched.has(resource))
  }

  async #lookAtShipment(id: string): Promise<number> {
    const { account, committer } = this.#context
    const rung = await updateRecord(committer, { account: account.name, resource: 'shipment', id }, async (state) =>
      state === null || this.#isAhead(state) || !this.#wasReadSince(state) ? null : this.#ring(state, BY_ITS_READ),
    )
    return rung?.events.length ?? 0
  }

  /** A milestone is overdue when a read after its edge still did not show it. Until then the record may be out of date. */
  #wasReadSince(state: RecordState): boolean {
    const { account, clock } = this.#context
    const now = clock.calendarNow(account.name)
    const passedFor = this.#edges(state, now).map((at) => now - at)
    return passedFor.length === 0 || state.lastRead.sentAt >= clock.now() - Math.min(...passedFor)
  }

  /** The record is loaded to be verified, and again to ring: it may have changed while the platform was asked. */
  async #lookAtInvoice(verifier: InvoiceVerifier, id: string, signal: AbortSignal): Promise<number> {
    const { account, committer } = this.#context
    const key = { account: account.name, resource: 'invoice', id } as const
    const state = (await committer.store.records(account.name, 'invoice', [id])).get(id)
    if (state === undefined || state.removedAt !== null) return 0
    const verification = await this.#verify(verifier, state, signal)
    if (verification === null) return 0
    const rung = await updateRecord(committer, key, async (now) =>
      now === null ? null : this.#ring(now, verification),
    )
    return rung?.events.length ?? 0
  }

  /** What verifies an invoice; null: nothing is rung of it for now. */
  async #verify(verifier: InvoiceVerifier, state: RecordState, signal: AbortSignal): Promise<Verification | null> {
    if (this.#clocks.isAnnounced && this.#isAhead(state)) return null
    if (this.#edges(state, this.#clocks.ownNow()).length === 0) return UNVERIFIED
    const verified = await verifier.verify(state, signal)
    if (verified === null) return null
    await this.#clocks.judge(verified.answer)
    return this.#isAhead(state) ? null : verified
  }

  /** Whether this machine's clock has passed an edge of a record, and the platform's none yet. */
  #isAhead(state: RecordState): boolean {
    const { account, clock } = this.#context
    const [own, both] = [this.#clocks.ownNow(), clock.calendarNow(account.name)]
    return own !== both && this.#edges(state, own).length > 0 && this.#edges(state, both).length === 0
  }

  /** When those edges of a record were that have passed by then and should ring. */
  #edges(state: RecordState, now: number): readonly number[] {
    const calendar = accountCalendar(this.#context.account, now)
    return dueAlarms({ resource: resourceOf(state), state, calendar }).map(({ at }) => at)
  }

  /** Rings what is due of a record; one that was not verified is only looked at. */
  async #ring(state: RecordState, verification: Verification): Promise<Revision | null> {
    const { account, clock, committer } = this.#context
    if (state.seen === null || state.removedAt !== null) return null
    const resource = resourceOf(state)
    const calendar = accountCalendar(account, clock.calendarNow(account.name))
    const invoices = resource === 'invoice' ? [[state.id, state.seen] as const] : []
    const owner = (await ownersOf(committer.store, account.name, invoices)).get(state.id)
    const shipment = owner?.removedAt === null ? summaryOf(owner) : null
    const rung = ringEdges({ account: account.name, resource, state, calendar, firedAt: clock.now(), shipment })
    if (rung.events.length > 0 && !verification.confirms(state)) return null
    const judged = { timeZone: account.timeZone, lastRead: state.lastRead }
    return {
      ...rung,
      write: { contentHash: null, read: 'none' },
      provenance: { by: 'calendar', resource, ...verification.by, ...judged },
    }
  }
}

/** Only invoices and shipments have a calendar. */
function resourceOf({ resource }: RecordState): 'invoice' | 'shipment' {
  return resource === 'invoice' ? 'invoice' : 'shipment'
}
