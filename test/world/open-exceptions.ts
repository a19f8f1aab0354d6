import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, textField } from '../../src/model/json.ts'
import type { AccountFacts } from './account-facts.ts'
import {
  isInvoice,
  isShipment,
  MILESTONES,
  type AnyFacts,
  type Invoice,
  type Milestone,
  type Shipment,
} from './facts.ts'
import { addDays, dayIn, dayStart } from './zone-days.ts'

/** What a store says of an exception. */
interface Told {
  readonly type: string
  readonly subjectId: string
  readonly milestone: string
  readonly eventId: string | null
  readonly closedBy: string | null
}

const REACHED: Readonly<Record<string, Milestone>> = {
  'shipment.picked_up': 'pickup',
  'shipment.departed': 'departure',
  'shipment.arrived': 'arrival',
  'shipment.delivered': 'delivery',
}
const PROBLEM = 'shipment.problem_reported'
const OVERDUE = 'shipment.milestone_overdue'
const RISK = 'shipment.delivery_at_risk'
const UNPAID = 'invoice.overdue'
const OPENING = new Set([PROBLEM, OVERDUE, RISK, UNPAID])

/** What must be open, by the events that rang and by what is true: it knows the guarantee (E12), and nothing of how it is kept. */
export class OpenExceptions {
  readonly #account: AccountFacts
  /** What events opened and none has closed, with the event, by subject, type and milestone. */
  readonly #open = new Map<string, string>()
  /** What may have closed by itself, or where it depends on the moment. */
  readonly #unsure = new Set<string>()
  readonly #opened = new Set<string>()

  constructor(account: AccountFacts) {
    this.#account = account
  }

  /** `calendar`: its present before these events and after. */
  hear(events: readonly ShipbellEvent[], calendar: readonly [number, number]): void {
    for (const event of events) {
      this.#close(event, calendar)
      if (!OPENING.has(event.type)) continue
      const key = keyOf(event.subject.id, event.type, milestoneOf(event))
      if (this.#open.has(key)) continue
      if (textField(event.object, 'status') === 'cancelled') {
        this.#opened.add(event.id)
        continue
      }
      this.#open.set(key, event.id)
      this.#opened.add(event.id)
      this.#unsure.delete(key)
      if (textField(event.object, 'status') === 'finished') this.#unsure.add(key)
    }
  }

  #close(event: ShipbellEvent, [before, after]: readonly [number, number]): void {
    const { extras, subject, type } = event
    const milestone = milestoneOf(event)
    const reached = REACHED[type]
    if (type.endsWith('.removed') || (type === 'shipment.status_changed' && extras['to'] === 'cancelled'))
      for (const key of this.#open.keys()) if (key.startsWith(`${subject.id} `)) this.#open.delete(key)
    if (type === 'shipment.status_changed')
      for (const key of this.#open.keys()) if (key.startsWith(`${subject.id} `)) this.#unsure.add(key)
    if (type === 'shipment.problem_cleared') this.#open.delete(keyOf(subject.id, PROBLEM, milestone))
    if (reached !== undefined) {
      this.#open.delete(keyOf(subject.id, PROBLEM, reached))
      for (const each of MILESTONES.slice(0, MILESTONES.indexOf(reached) + 1))
        this.#open.delete(keyOf(subject.id, OVERDUE, each))
    }
    if (type === 'shipment.delivery_back_on_track' || reached === 'delivery')
      this.#open.delete(keyOf(subject.id, RISK, ''))
    if (type === 'invoice.overdue_cleared') this.#open.delete(keyOf(subject.id, UNPAID, ''))
    const date = Date.parse(textField(field(field(extras, 'date_change'), 'to'), 'date') ?? '')
    if (reached !== undefined || Number.isNaN(date)) return
    const key = keyOf(subject.id, OVERDUE, milestone)
    if (date > after) this.#open.delete(key)
    else if (date > before) this.#unsure.add(key)
  }

  /** Where the exceptions of a store are others than the events have made. */
  complaints(told: readonly Told[]): readonly string[] {
    const open = new Map(told.filter(({ closedBy }) => closedBy === null).map((each) => [nameOf(each), each]))
    const amounts = Map.groupBy(told, ({ eventId }) => eventId)
    const isSure = (key: string): boolean => !this.#unsure.has(key)
    return [
      ...[...this.#open.keys()].filter((key) => isSure(key) && !open.has(key)).map((key) => `${key}: is not open`),
      ...[...open]
        .filter(([key, { eventId }]) => isSure(key) && eventId !== null && !this.#open.has(key))
        .map(([key]) => `${key}: is open still`),
      ...[...this.#opened].filter((id) => amounts.get(id)?.length !== 1).map((id) => `${id} opened not one exception`),
      ...[...amounts.keys()].filter((id) => id !== null && !this.#opened.has(id)).map((id) => `${id} opens nothing`),
    ]
  }

  /** Where they are others than is true of records that are known by now as they are. */
  untrue(told: readonly Told[], { invoices, shipments, today }: Truth): readonly string[] {
    const open = new Set(told.filter(({ closedBy }) => closedBy === null).map(nameOf))
    const must = new Map<string, boolean>()
    for (const [id, facts] of shipments) if (isShipment(facts)) this.#ofShipment(id, facts, must)
    for (const [id, facts] of invoices) if (isInvoice(facts)) this.#ofInvoice(id, facts, { must, today })
    return [...must]
      .filter(([key, isOpen]) => open.has(key) !== isOpen)
      .map(([key, isOpen]) => `${key}: ${isOpen ? 'is true and not open' : 'is open and not true'}`)
  }

  #ofShipment(id: string, shipment: Shipment, must: Map<string, boolean>): void {
    const { desired_delivery_date: desired, main_tracking_dates: dates, status } = shipment
    if (status === 'finished') return
    const goesOn = status !== 'cancelled'
    for (const milestone of MILESTONES)
      must.set(keyOf(id, PROBLEM, milestone), goesOn && dates[`${milestone}_date`]?.status === 'problem')
    const { delivery_date: delivery } = dates
    if (delivery?.status === 'actual' || !goesOn) must.set(keyOf(id, RISK, ''), false)
    else if (delivery !== null && desired !== null)
      must.set(keyOf(id, RISK, ''), dayIn(Date.parse(delivery.date), this.#account.zone) > desired)
  }

  #ofInvoice(
    id: string,
    { due_date: due, status, type }: Invoice,
    { must, today }: { readonly must: Map<string, boolean>; readonly today: number },
  ): void {
    const key = keyOf(id, UNPAID, '')
    if (type === 'credit_note' || ['paid', 'write_off'].includes(status)) must.set(key, false)
    else if (['available', 'due', 'new', 'partially_paid'].includes(status) && due !== null) {
      const isPast = dayStart(addDays(due, 1), this.#account.zone) <= today
      if (isPast || due >= dayIn(today, this.#account.zone)) must.set(key, isPast)
    }
  }
}

interface Truth {
  readonly shipments: ReadonlyMap<string, AnyFacts>
  readonly invoices: ReadonlyMap<string, AnyFacts>
  readonly today: number
}

function milestoneOf({ extras }: ShipbellEvent): string {
  return textField(extras, 'milestone') ?? textField(field(extras, 'date_change'), 'milestone') ?? ''
}

function keyOf(id: string, type: string, milestone: string): string {
  return `${id} ${type} ${type === PROBLEM || type === OVERDUE ? milestone : ''}`
}

function nameOf({ milestone, subjectId, type }: Told): string {
  return keyOf(subjectId, type, milestone)
}
