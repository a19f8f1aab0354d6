import type { ShipbellEvent } from '../../src/model/event.ts'
import type { ExpectationRule } from '../../src/model/expectation.ts'
import { field, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { isInvoice, isOrder, isShipment, type AnyFacts, type Order } from './facts.ts'
import { addDays, dayStart } from './zone-days.ts'

/** What the account of a world expects: of a record alone, and of a shipment and its orders together. */
export const RULES: readonly ExpectationRule[] = [
  {
    name: 'picked-up',
    about: 'shipment',
    when: '!(shipment.status in ["cancelled", "finished"])',
    by: 'after(shipment.cargo_ready_date, "0s")',
    until: 'shipment.main_tracking_dates.pickup_date.status == "actual"',
    severity: 'warning',
  },
  {
    name: 'ordered',
    about: 'shipment',
    when: 'shipment.status in ["draft", "booked", "in_progress", "new"]',
    by: 'before(shipment.main_tracking_dates.arrival_date, "36h")',
    until: 'orders.exists(o, o.supplier_name == "Acme")',
    severity: 'critical',
  },
  {
    name: 'paid',
    about: 'invoice',
    when: 'invoice.type == "invoice" && invoice.status != "write_off"',
    by: 'after(invoice.due_date, "0s")',
    until: 'invoice.status == "paid"',
    severity: 'neutral',
  },
]

/** What a store says of an exception that `expectation.missed` opened. */
interface Told {
  readonly subjectId: string
  readonly expectation: string
  readonly eventId: string | null
  readonly closedBy: string | null
}

interface Truth {
  readonly shipments: ReadonlyMap<string, AnyFacts>
  readonly invoices: ReadonlyMap<string, AnyFacts>
  /** null: they are not known as they are. */
  readonly orders: ReadonlyMap<string, AnyFacts> | null
  readonly today: number
}

/** What a rule says of a record. */
interface Saying {
  readonly isExpected: boolean
  /** null: other records say so. */
  readonly hasHappened: boolean | null
  readonly by: number | null
}

const HOUR_MS = 3_600_000
/** What came due so shortly ago may not have been read since. */
const UNREAD_MS = 12 * HOUR_MS

/** What must have been missed and must have ended, by what is true: it knows the rules in its own words, and nothing of how they are judged. */
export class MissedExpectations {
  readonly #zone: string
  /** The event that said that something was missed which has not ended, by subject and rule. */
  readonly #missed = new Map<string, string>()
  readonly #ended = new Set<string>()
  /** What may be open in silence: what was there when it was looked at first, and what came back. */
  readonly #silent = new Set<string>()
  #known: ReadonlySet<string> = new Set()
  #wasRead = false
  missed = 0

  constructor(zone: string) {
    this.#zone = zone
  }

  /** Where events tell what is not so. `calendar`: its present before these events and after. */
  hear(events: readonly ShipbellEvent[], calendar: readonly [number, number]): readonly string[] {
    return events.flatMap((event) => {
      if (event.type.endsWith('.restored')) this.#silent.add(event.subject.id)
      if (event.type.endsWith('.created') && this.#known.has(event.subject.id)) this.#silent.add(event.subject.id)
      return event.type.startsWith('expectation.') ? this.#turn(event, calendar) : []
    })
  }

  #turn({ extras, id, object, subject, type }: ShipbellEvent, [before, after]: readonly [number, number]) {
    const rule = textField(extras, 'expectation') ?? ''
    const key = keyOf(subject.id, rule)
    const isMissed = type === 'expectation.missed'
    if (isMissed === this.#missed.has(key)) return [`${id}: ${type} of ${key} does not follow what rang before`]
    if (isMissed) this.#missed.set(key, id)
    else this.#ended.add(this.#missed.get(key) ?? '')
    if (isMissed) this.missed += 1
    else this.#missed.delete(key)
    return isSo(type, saysOf(rule, object, this.#zone), { extras, before, after })
      ? []
      : [`${id}: ${type} of ${key} is not so`]
  }

  /** Where the exceptions of a store are others than the events have made. `known`: the records that are known by now. */
  complaints(told: readonly Told[], known: ReadonlySet<string>, wasRead: boolean): readonly string[] {
    const ofEvent = Map.groupBy(told, ({ eventId }) => eventId)
    const rang = [...this.#missed.values(), ...this.#ended]
    const wrong = [
      ...rang.filter((id) => ofEvent.get(id)?.length !== 1).map((id) => `${id} opened not one exception`),
      ...[...ofEvent.keys()].filter((id) => id !== null && !rang.includes(id)).map((id) => `${id} opens nothing`),
      ...[...this.#ended].filter((id) => ofEvent.get(id)?.[0]?.closedBy === null).map((id) => `${id} is open still`),
      ...told
        .filter(({ closedBy, eventId, subjectId }) => eventId === null && closedBy === null && this.#isNews(subjectId))
        .map((each) => `${keyOf(each.subjectId, each.expectation)}: opened in silence`),
    ]
    const open = told.filter(({ closedBy }) => closedBy === null)
    for (const { eventId, subjectId } of open) if (eventId === null) this.#silent.add(subjectId)
    // A reader that dies derives later what it read: what is known counts once a pass ended.
    if (wasRead) this.#known = new Set([...this.#known, ...known])
    this.#wasRead ||= wasRead
    return wrong
  }

  /** Whether nothing of a record can be open in silence, because it was known before and is not back. */
  #isNews(subjectId: string): boolean {
    return this.#wasRead && this.#known.has(subjectId) && !this.#silent.has(subjectId)
  }

  /** Where what is open is another thing than what is true of records that are known by now as they are. */
  untrue(told: readonly Told[], { invoices, orders, shipments, today }: Truth): readonly string[] {
    const open = new Set(
      told
        .filter(({ closedBy }) => closedBy === null)
        .map(({ expectation, subjectId }) => keyOf(subjectId, expectation)),
    )
    const must = new Map<string, boolean>()
    const judge = (key: string, { by, hasHappened, isExpected }: Saying): void => {
      if (!isExpected || hasHappened === true || by === null || by > today) must.set(key, false)
      else if (by <= today - UNREAD_MS) must.set(key, true)
    }
    for (const [id, facts] of invoices)
      if (isInvoice(facts)) judge(keyOf(id, 'paid'), saysOf('paid', facts, this.#zone))
    for (const [id, facts] of shipments) {
      if (!isShipment(facts)) continue
      judge(keyOf(id, 'picked-up'), saysOf('picked-up', facts, this.#zone))
      if (orders === null) continue
      const hasHappened = [...orders.values()].some((order) => isOrder(order) && isOrderOf(order, id))
      judge(keyOf(id, 'ordered'), { ...saysOf('ordered', facts, this.#zone), hasHappened })
    }
    return [...must]
      .filter(([key, isOpen]) => open.has(key) !== isOpen)
      .map(([key, isOpen]) => `${key}: ${isOpen ? 'is true and not open' : 'is open and not true'}`)
  }
}

interface Moment {
  readonly extras: JsonObject
  readonly before: number
  readonly after: number
}

/** Whether an event may say what it does of a record as it shows it. */
function isSo(type: string, { by, hasHappened, isExpected }: Saying, { after, before, extras }: Moment): boolean {
  switch (type) {
    case 'expectation.missed':
      return isExpected && hasHappened !== true && by !== null && by <= after
    case 'expectation.met':
      return hasHappened !== false
    default:
      return !isExpected || by === null || by > before || textField(extras, 'reason') === 'removed'
  }
}

/** What a rule says of a record, in whatever rendering. */
function saysOf(rule: string, record: Json | undefined, zone: string): Saying {
  const status = textField(record, 'status')
  const dates = field(record, 'main_tracking_dates')
  switch (rule) {
    case 'picked-up':
      return {
        isExpected: status !== 'cancelled' && status !== 'finished',
        hasHappened: textField(field(dates, 'pickup_date'), 'status') === 'actual',
        by: endOf(textField(record, 'cargo_ready_date'), zone),
      }
    case 'ordered': {
      const arrival = Date.parse(textField(field(dates, 'arrival_date'), 'date') ?? '')
      const isExpected = ['draft', 'booked', 'in_progress', 'new'].includes(status ?? '')
      return { isExpected, hasHappened: null, by: Number.isNaN(arrival) ? null : arrival - 36 * HOUR_MS }
    }
    default:
      return {
        isExpected: textField(record, 'type') === 'invoice' && status !== 'write_off',
        hasHappened: status === 'paid',
        by: endOf(textField(record, 'due_date'), zone),
      }
  }
}

function endOf(day: string | null, zone: string): number | null {
  return day === null ? null : dayStart(addDays(day, 1), zone)
}

function isOrderOf({ purchase_order_lines: lines, supplier_name }: Order, shipment: string): boolean {
  const assigned = lines.flatMap(({ assigned_order_lines }) => assigned_order_lines)
  return supplier_name === 'Acme' && assigned.some(({ platform_shipment_id }) => platform_shipment_id === shipment)
}

function keyOf(id: string, rule: string): string {
  return `${id} ${rule}`
}
