import { html } from 'hono/html'
import { invoiceTotal } from '../../../message/words/money.ts'
import { moment } from '../../../message/words/moment.ts'
import { counted, span } from '../../../message/words/span.ts'
import type { EventType } from '../../../model/event-catalogue.ts'
import { dueDateOf } from '../../../model/invoice.ts'
import { field, textField, type JsonObject } from '../../../model/json.ts'
import { parseInstant } from '../../../model/instant.ts'
import { readDay } from '../../../model/iso-time.ts'
import { trackingInstant } from '../../../model/shipment.ts'
import { dayOf, daysBetween } from '../../../model/zoned-day.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { day, instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { Standing, ToldException } from './standing.ts'

/** What an exception is called in a word or two. */
const CALLED: Readonly<Partial<Record<EventType, string>>> = {
  'shipment.problem_reported': 'problem',
  'shipment.milestone_overdue': 'late',
  'shipment.delivery_at_risk': 'at risk',
  'purchase_order.delivery_at_risk': 'at risk',
  'invoice.overdue': 'overdue',
  'expectation.missed': 'missing',
}

export function calledOf({ type }: Pick<ToldException, 'type'>): string {
  return CALLED[type] ?? type
}

/** Where an account's calendar is. */
interface Calendar {
  readonly now: number
  readonly timeZone: string
}

export function calendarOf(account: string, { desk }: View): Calendar {
  const timeZone = desk.accounts().find(({ name }) => name === account)?.timeZone ?? 'UTC'
  return { now: desk.clock.calendarNow(account), timeZone }
}

type Sentence = (exception: ToldException, record: JsonObject | null, calendar: Calendar) => Html

const SENTENCES: Readonly<Partial<Record<EventType, Sentence>>> = {
  'shipment.milestone_overdue': overdueMilestone,
  'shipment.problem_reported': problem,
  'shipment.delivery_at_risk': deliveryAtRisk,
  'purchase_order.delivery_at_risk': orderAtRisk,
  'invoice.overdue': overdueInvoice,
  'expectation.missed': missed,
}

/** What is not well and by how much, in one sentence. */
export function standingSentence(
  exception: ToldException,
  { record }: Pick<Standing, 'record'>,
  calendar: Calendar,
): Html {
  return SENTENCES[exception.type]?.(exception, record, calendar) ?? text(exception.type)
}

function milestoneAt({ milestone }: ToldException, record: JsonObject | null): number | null {
  return milestone === '' ? null : trackingInstant(record, milestone)
}

function overdueMilestone(exception: ToldException, record: JsonObject | null, { now }: Calendar): Html {
  const { milestone } = exception
  const at = milestoneAt(exception, record)
  return at === null || at >= now
    ? html`The ${milestone} is overdue.`
    : html`The ${milestone} is <strong>${span((now - at) / 60_000)}</strong> late: it was expected ${instant(at)}.`
}

function problem(exception: ToldException, record: JsonObject | null): Html {
  const at = milestoneAt(exception, record)
  return at === null
    ? html`A problem is reported with the ${exception.milestone}.`
    : html`A problem is reported with the ${exception.milestone}, expected ${instant(at)}.`
}

function deliveryAtRisk(_: ToldException, record: JsonObject | null, { timeZone }: Calendar): Html {
  const at = trackingInstant(record, 'delivery')
  const wanted = readDay(field(record ?? {}, 'desired_delivery_date'))
  const days = at === null || wanted === null ? 0 : daysBetween(wanted, dayOf(at, timeZone))
  return at === null || wanted === null || days <= 0
    ? html`The delivery may come too late.`
    : html`The delivery comes <strong>${counted(days, 'day')}</strong> too late: expected ${day(at)}, wanted
        ${text(moment(wanted))}.`
}

function orderAtRisk({ told }: ToldException, record: JsonObject | null): Html {
  const at = parseInstant(field(field(told, 'to'), 'date'))
  const days = field(told, 'slack_days')
  const wanted = readDay(field(record ?? {}, 'desired_delivery_date'))
  return at === null || typeof days !== 'number' || days >= 0 || wanted === null
    ? html`The order may be delivered too late.`
    : html`The order comes <strong>${counted(-days, 'day')}</strong> too late: expected ${day(at)}, wanted
        ${text(moment(wanted))}.`
}

function overdueInvoice(_: ToldException, record: JsonObject | null, { now, timeZone }: Calendar): Html {
  const due = record === null ? null : dueDateOf(record)
  const amount = invoiceTotal(record ?? undefined)
  if (due === null) return html`The invoice is overdue.`
  const days = daysBetween(due, dayOf(now, timeZone))
  if (days <= 0) return html`The invoice is overdue.`
  const late = counted(days, 'day')
  return amount === ''
    ? html`The invoice is <strong>${late}</strong> overdue: it was due ${text(moment(due))}.`
    : html`${text(amount, 60)} are <strong>${late}</strong> overdue: the invoice was due ${text(moment(due))}.`
}

function missed({ expectation, told }: ToldException): Html {
  const by = parseInstant(textField(told, 'by'))
  return by === null
    ? html`<strong>${text(expectation)}</strong> was expected and has not happened.`
    : html`<strong>${text(expectation)}</strong> was expected by ${instant(by)} and has not happened.`
}
