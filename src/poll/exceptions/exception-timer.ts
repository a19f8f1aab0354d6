import { reminderOf } from '../../detect/reminder.ts'
import type { AddressedEvent } from '../../model/event.ts'
import { invoiceStanding } from '../../model/invoice.ts'
import type { RecordState } from '../../model/record-state.ts'
import { isRecordResource, type RecordResource, watchedAs } from '../../model/resource.ts'
import { type DueReminder, nextReminderAt, type ReminderStep } from '../../model/reminder.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { DueExceptions } from '../../store/ports/exception-port.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { IDLE_SLEEP_MS, type AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { ownersOf, summaryOf } from '../ingest/record-facts.ts'
import { timerPauseMs } from '../timers/timer-pause.ts'

/** What is due in one round: more comes a second later, so that what was missed together comes paced. */
const AT_ONCE = 50
const PACE_MS = 1_000
/** A record that is read in time is never older than that. */
const PROMISES = 2
const LEAST_OLD_MS = 60_000
/** A reminder whose record was not read for too long is looked at again so much later: others behind it have their turn. */
const LOOK_AGAIN_MS = 10_000

/** Closes what has been finished for a day, and tells again of what is open, where subscriptions ask for it. */
export class ExceptionTimer {
  /** Wakes the loop: there are reminders, or subscriptions, that it does not know of. */
  readonly wake = new WakeSignal()
  readonly #context: AccountContext
  /** The settings of reminders that were followed last; null: none were. */
  #followed: string | null = null
  #hasMore = false

  constructor(context: AccountContext) {
    this.#context = context
    context.committer.whenReminded(context.account.name, () => this.wake.notify())
  }

  /** Returns how many reminders were made. */
  async round(): Promise<number> {
    const { account, clock, committer, log } = this.#context
    await this.#follow()
    const now = clock.now()
    this.#hasMore = false
    const news = await committer.commit(account.name, async () => {
      const due = await committer.store.exceptionsDue(account.name, { until: now, most: AT_ONCE })
      const news = due.ending.length === 0 && due.reminders.length === 0 ? null : await this.#newsOf(due, now)
      this.#hasMore = due.reminders.length === AT_ONCE || due.ending.length === AT_ONCE
      return news
    })
    const reminders = news?.addressed?.length ?? 0
    if (reminders > 0) log.info({ account: account.name, reminders }, 'exceptions.reminded')
    return reminders
  }

  /** Rounds until nothing more is due, as far as it can be told now. */
  async settle(signal: AbortSignal): Promise<void> {
    do await this.round()
    while (this.#hasMore && !signal.aborted)
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    if (this.#hasMore) return PACE_MS
    const { account, clock, committer } = this.#context
    const { ending, reminders } = await committer.store.exceptionsDue(account.name, { most: 1 })
    const waiting = [...ending.map(({ endsAt }) => endsAt), ...reminders.map(({ dueAt }) => dueAt)]
    if (waiting.length === 0) return IDLE_SLEEP_MS
    return timerPauseMs(
      this.#context,
      waiting.map((at) => at - clock.now()),
    )
  }

  /** How long ago a record was read at most that is told of again. */
  #oldestMs(resource: RecordResource): number {
    const { everyMs = 0 } = this.#context.account.watch[watchedAs(resource)] ?? {}
    return Math.max(PROMISES * everyMs, LEAST_OLD_MS)
  }

  /** A subscription that asks for reminders only now is told again of what it was sent before. */
  async #follow(): Promise<void> {
    const { account, clock, committer } = this.#context
    const reminded = committer.subscriptions.filter((each) => each.remind != null)
    const settings = JSON.stringify(reminded.map(({ name, remind }) => [name, remind]))
    if (settings === this.#followed) return
    for (const { name: subscription, remind } of reminded) {
      if (remind == null) continue
      const { everyMs, of: types } = remind
      const change = { kind: 'remind', subscription, types, everyMs, at: clock.now() } as const
      await committer.commit(account.name, async () => ({ changes: [change] }))
    }
    this.#followed = settings
  }

  async #newsOf({ ending, reminders }: DueExceptions, now: number): Promise<News> {
    const { committer } = this.#context
    const subscriptions = new Map(committer.subscriptions.map((each) => [each.name, each]))
    const toBeTold = new Set(reminders.filter((due) => isToBeTold(due, subscriptions.get(due.subscription), now)))
    const known = await this.#knownOf([...toBeTold])
    const addressed: AddressedEvent[] = []
    const steps: ReminderStep[] = []
    for (const due of reminders) {
      const subscription = subscriptions.get(due.subscription)
      // Some reminders of one record may be told, and others not: to another subscription, or of another exception.
      const event = toBeTold.has(due) ? this.#told(due, known.get(keyOf(due)), now) : null
      if (event === 'not read yet') {
        const { exception, number, subscription: name } = due
        steps.push({ exception, subscription: name, number, dueAt: now + LOOK_AGAIN_MS })
        continue
      }
      if (event !== null) addressed.push(event)
      steps.push(stepOf(due, subscription, { now, isTold: event !== null }))
    }
    const closes = ending.map(({ endsAt: at, expectation, milestone, resource, subjectId, type }) => ({
      type,
      resource,
      subjectId,
      expectation,
      ...(milestone !== '' && { milestone }),
      by: 'finished',
      at,
    }))
    const changes: readonly BatchChange[] = steps.length === 0 ? [] : [{ kind: 'reminded', steps }]
    return { changes, ...(closes.length > 0 && { exceptions: { closes } }), ...(addressed.length > 0 && { addressed }) }
  }

  /** The records of reminders, by `keyOf`, with the shipments that they belong to. */
  async #knownOf(due: readonly DueReminder[]): Promise<ReadonlyMap<string, KnownSubject>> {
    const { account, committer } = this.#context
    const known = new Map<string, KnownSubject>()
    for (const [resource, own] of Map.groupBy(due, (each) => each.resource)) {
      if (!isRecordResource(resource)) continue
      const ids = new Set(own.map(({ subjectId }) => subjectId))
      const states = await committer.store.records(account.name, resource, [...ids])
      const owned =
        resource === 'shipment'
          ? []
          : [...states].flatMap(([id, { seen }]) => (seen === null ? [] : [[id, seen] as const]))
      const owners = await ownersOf(committer.store, account.name, owned)
      for (const [id, state] of states)
        known.set(keyOf({ resource, subjectId: id }), { resource, state, owner: owners.get(id) })
    }
    return known
  }

  /**
   * The reminder that is due; null: nothing is told this time. Of what was not read for long, nobody knows whether it still is so.
   * `known`: its record, where it is known.
   */
  #told(due: DueReminder, known: KnownSubject | undefined, now: number): AddressedEvent | 'not read yet' | null {
    const { account, clock } = this.#context
    if (known === undefined || known.state.removedAt !== null || isSuspended(known.state)) return null
    const { owner, resource, state } = known
    if (state.lastRead.sentAt < now - this.#oldestMs(resource)) return 'not read yet'
    const event = reminderOf({
      due,
      state,
      shipment: owner?.removedAt === null ? summaryOf(owner) : null,
      timeZone: account.timeZone,
      calendarAt: clock.calendarNow(account.name),
      at: now,
    })
    return { event, subscription: due.subscription }
  }
}

interface KnownSubject {
  readonly resource: RecordResource
  readonly state: RecordState
  /** The shipment that the record belongs to; undefined: none is known, or it is one. */
  readonly owner: RecordState | undefined
}

function keyOf({ resource, subjectId }: Pick<DueReminder, 'resource' | 'subjectId'>): string {
  return `${resource} ${subjectId}`
}

/** Whether its subscription asks for a reminder, was sent what is told again, and nobody sees to it. */
function isToBeTold(
  { acknowledged, isDisabled, type, wasSent }: DueReminder,
  subscription: Subscription | undefined,
  now: number,
): boolean {
  const isAsked = subscription?.enabled === true && subscription.remind?.of.includes(type) === true
  const isAcknowledged = acknowledged !== null && (acknowledged.until === null || acknowledged.until > now)
  return isAsked && !isAcknowledged && !isDisabled && wasSent
}

/** Reminders that were missed become one. Who does not ask for them any more has none left. */
function stepOf(
  { exception, number, openedAt, subscription: name, type }: DueReminder,
  subscription: Subscription | undefined,
  { isTold, now }: { readonly isTold: boolean; readonly now: number },
): ReminderStep {
  const { remind } = subscription ?? {}
  const dueAt = remind?.of.includes(type) === true ? nextReminderAt(openedAt, remind.everyMs, now) : null
  return { exception, subscription: name, number: isTold ? number + 1 : number, dueAt }
}

/** Nobody is to see to an invoice that is disputed or being corrected. */
function isSuspended({ resource, seen }: RecordState): boolean {
  return resource === 'invoice' && seen !== null && invoiceStanding(seen) === 'suspended'
}
