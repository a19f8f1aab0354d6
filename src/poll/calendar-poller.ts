import type { Clock } from '../clock.ts'
import type { Alarm } from '../detect/calendar/calendar-rules.ts'
import { dueAlarms, ringEdges } from '../detect/calendar/ring-edges.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import { shipmentIdOf } from '../model/shipment-id.ts'
import { summariseShipment, type ShipmentSummary } from '../model/shipment.ts'
import type { DueRecord } from '../store/calendar-port.ts'
import { accountCalendar, calendarFingerprint } from './account-calendar.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Committer } from './committer.ts'
import { inParallel } from './in-parallel.ts'
import type { InvoiceVerifier, Verification } from './invoice-verifier.ts'

/** A wall clock may be set, so no sleep is trusted for longer. */
const LOOK_EVERY_MS = 30_000
/** A calendar of its own may run many times faster than the timers. */
const LOOK_AT_SIMULATED_EVERY_MS = 250
const SIMULATED_FROM_MS = 1_000
const SHORTEST_PAUSE_MS = 50

/** Invoices verified in one round: few enough that what falls due meanwhile is not kept waiting. */
const BATCH_PER_SLOT = 25

/** A shipment is looked at only once it was read after its edge: that read is what verifies it. */
const BY_ITS_READ: Verification = { confirms: () => true, answer: null, by: { exchanges: [] } }
const UNVERIFIED: Verification = { confirms: () => false, answer: null, by: { exchanges: [] } }

export interface CalendarPollerOptions {
  readonly account: AccountSettings
  readonly verifier: InvoiceVerifier
  readonly committer: Committer
  /** Its calendar has reached what both this machine's clock and the platform's have. */
  readonly clock: Clock
  readonly clocks: ClockWatch
  readonly log: Logger
}

/** Rings what time alone brings about: due dates and milestones that pass. */
export class CalendarPoller {
  readonly #options: CalendarPollerOptions
  #configured = false
  #more = false

  constructor(options: CalendarPollerOptions) {
    this.#options = options
  }

  /** Looks at every record that has an edge behind it and rings what can be rung now. Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    const { account, clock, log, verifier } = this.#options
    const startedAt = clock.now()
    await this.#configure()
    const due = await this.#due()
    const invoices = due.filter(({ resource }) => resource === 'invoice')
    verifier.keepOnly(new Set(invoices.map(({ id }) => id)))
    let rang = 0
    for (const { resource, id } of due) {
      if (resource === 'shipment' && !signal.aborted) rang += await this.#lookAtShipment(id)
    }
    await verifier.notePasses()
    const ready = invoices.filter(({ id }) => verifier.isReady(id))
    const batch = ready.slice(0, BATCH_PER_SLOT * account.budget.concurrency)
    await inParallel(batch, account.budget.concurrency, async ({ id }) => {
      rang += await this.#lookAtInvoice(id, signal)
    })
    await verifier.endRound()
    this.#more = batch.length < ready.length
    const { nextRetryAt } = verifier
    const line = { account: account.name, events: rang, waiting: nextRetryAt !== null }
    if (rang > 0) log.info({ ...line, duration_ms: clock.now() - startedAt }, 'calendar.rang')
    return rang
  }

  /** Rounds until nothing more can be rung now; resolves to how many invoices still wait to be verified. */
  async settle(signal: AbortSignal): Promise<number> {
    do await this.round(signal)
    while (this.#more && !signal.aborted)
    return this.#options.verifier.waiting
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    if (this.#more) return 0
    const { account, clock, clocks, committer, verifier } = this.#options
    const now = clock.now()
    const today = clocks.ownNow()
    const longest = Math.abs(today - now) < SIMULATED_FROM_MS ? LOOK_EVERY_MS : LOOK_AT_SIMULATED_EVERY_MS
    const edgeAt = await committer.store.calendar.nextAfter(account.name, today)
    const waits = [edgeAt === null ? longest : edgeAt - today, (verifier.nextRetryAt ?? Number.MAX_VALUE) - now]
    return Math.max(Math.min(longest, ...waits), SHORTEST_PAUSE_MS)
  }

  /** Makes the account's zone, leads and grace known, once. */
  async #configure(): Promise<void> {
    if (this.#configured) return
    const { account, committer } = this.#options
    await committer.store.calendar.configure(account.name, calendarFingerprint(account))
    this.#configured = true
  }

  /** What is due of the watched lists whose baseline is complete. */
  async #due(): Promise<readonly DueRecord[]> {
    const { account, clocks, committer } = this.#options
    const { store } = committer
    const due = await store.calendar.due(account.name, clocks.ownNow())
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
    const state = await this.#state('shipment', id)
    return state === null || this.#isAhead(state) || !this.#wasReadSince(state)
      ? 0
      : this.#ring('shipment', id, BY_ITS_READ)
  }

  /** A milestone is overdue when a read after its edge still did not show it: until then the record may be out of date. */
  #wasReadSince(state: RecordState): boolean {
    const { account, clock } = this.#options
    const calendar = accountCalendar(account, clock.calendarNow(account.name))
    const alarms = dueAlarms({ resource: 'shipment', state, calendar })
    const passedFor = Math.min(...alarms.map(({ at }) => calendar.now - at))
    return alarms.length === 0 || state.lastRead.sentAt >= clock.now() - passedFor
  }

  async #lookAtInvoice(id: string, signal: AbortSignal): Promise<number> {
    const { clocks, verifier } = this.#options
    const state = await this.#state('invoice', id)
    if (state === null || (clocks.isAnnounced && this.#isAhead(state))) return 0
    if (this.#alarms(state, clocks.ownNow()).length === 0) return this.#ring('invoice', id, UNVERIFIED)
    const verified = await verifier.verify(state, signal)
    if (verified === null) return 0
    await clocks.judge(verified.answer)
    return this.#isAhead(state) ? 0 : this.#ring('invoice', id, verified)
  }

  /** Whether this machine's clock has passed an edge of a record, and the platform's none yet. */
  #isAhead(state: RecordState): boolean {
    const { account, clock, clocks } = this.#options
    const [own, both] = [clocks.ownNow(), clock.calendarNow(account.name)]
    return own !== both && this.#alarms(state, own).length > 0 && this.#alarms(state, both).length === 0
  }

  #alarms(state: RecordState, now: number): readonly Alarm[] {
    const calendar = accountCalendar(this.#options.account, now)
    return dueAlarms({ resource: state.resource === 'invoice' ? 'invoice' : 'shipment', state, calendar })
  }

  /** Rings what is due of the record as it is by now; a record that was not verified is only looked at. */
  async #ring(resource: RecordResource, id: string, verified: Verification): Promise<number> {
    const { account, clock, committer } = this.#options
    const events = await committer.commit(async () => {
      const nothing = { account: account.name, records: [], events: [] }
      const state = await this.#state(resource, id)
      if (state?.seen == null) return nothing
      const calendar = accountCalendar(account, clock.calendarNow(account.name))
      const shipment = await this.#shipmentOf(state)
      const rung = ringEdges({ account: account.name, resource, state, calendar, firedAt: clock.now(), shipment })
      if (rung.events.length > 0 && !verified.confirms(state.seen)) return nothing
      const write = { state: rung.state, contentHash: null, expectedVersion: state.version, read: 'none' } as const
      const judged = { timeZone: account.timeZone, lastRead: state.lastRead }
      const provenance = { by: 'calendar', resource, ...verified.by, ...judged } as const
      return { ...nothing, records: [write], events: rung.events, provenance }
    })
    return events.length
  }

  /** null where it is not known, or removed. */
  async #state(resource: RecordResource, id: string): Promise<RecordState | null> {
    const { account, committer } = this.#options
    const state = (await committer.store.records(account.name, resource, [id])).get(id)
    return state === undefined || state.removedAt !== null ? null : state
  }

  async #shipmentOf({ resource, seen }: RecordState): Promise<ShipmentSummary | null> {
    const owner = resource === 'invoice' && seen !== null ? shipmentIdOf(seen, null) : null
    const shipment = owner === null ? null : await this.#state('shipment', owner)
    return owner === null || shipment?.seen == null ? null : summariseShipment(owner, shipment.seen)
  }
}
