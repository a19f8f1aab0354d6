import { html } from 'hono/html'
import { invoiceTotal } from '../../../message/words/money.ts'
import type { EventType } from '../../../model/event-catalogue.ts'
import { dueDateOf } from '../../../model/invoice.ts'
import { field, textField, type JsonObject } from '../../../model/json.ts'
import { parseInstant } from '../../../model/instant.ts'
import { readDay } from '../../../model/iso-time.ts'
import { trackingInstant } from '../../../model/shipment.ts'
import { dayOf, daysBetween } from '../../../model/zoned-day.ts'
import { capitalised, say, sayAround } from '../languages/say.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { day, instant, momentText, wording } from '../parts/time.ts'
import { daysText, lengthText, wordText } from '../parts/words.ts'
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
  const called = CALLED[type]
  return called === undefined ? type : say(called)
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

type Stands = Pick<Standing, 'expectedAt' | 'record'>
type Sentence = (exception: ToldException, record: JsonObject | null, calendar: Calendar & Stands) => Html

const SENTENCES: Readonly<Partial<Record<EventType, Sentence>>> = {
  'shipment.milestone_overdue': overdueMilestone,
  'shipment.problem_reported': problem,
  'shipment.delivery_at_risk': deliveryAtRisk,
  'purchase_order.delivery_at_risk': orderAtRisk,
  'invoice.overdue': overdueInvoice,
  'expectation.missed': missed,
}

/** What is not well and by how much, in one sentence. */
export function standingSentence(exception: ToldException, stands: Stands, calendar: Calendar): Html {
  return SENTENCES[exception.type]?.(exception, stands.record, { ...calendar, ...stands }) ?? text(exception.type)
}

function milestoneAt({ milestone }: ToldException, record: JsonObject | null): number | null {
  return milestone === '' ? null : trackingInstant(record, milestone)
}

function overdueMilestone(exception: ToldException, record: JsonObject | null, { now }: Calendar): Html {
  const named = milestoneNames(exception)
  const at = milestoneAt(exception, record)
  return at === null || at >= now
    ? sayAround('The {milestone} is overdue.', named)
    : sayAround('The {milestone} is {length} late: it was expected {instant}.', {
        ...named,
        length: html`<strong>${lengthText((now - at) / 60_000)}</strong>`,
        instant: instant(at),
      })
}

/** A milestone within a sentence, and at its beginning. */
function milestoneNames({ milestone }: ToldException) {
  const name = wordText(milestone)
  return { milestone: name, Milestone: capitalised(name) }
}

function problem(exception: ToldException, record: JsonObject | null): Html {
  const named = milestoneNames(exception)
  const at = milestoneAt(exception, record)
  return at === null
    ? sayAround('A problem is reported with the {milestone}.', named)
    : sayAround('A problem is reported with the {milestone}, expected {instant}.', { ...named, instant: instant(at) })
}

function deliveryAtRisk(_: ToldException, record: JsonObject | null, { timeZone }: Calendar): Html {
  const at = trackingInstant(record, 'delivery')
  const wanted = readDay(field(record ?? {}, 'desired_delivery_date'))
  const days = at === null || wanted === null ? 0 : daysBetween(wanted, dayOf(at, timeZone))
  return at === null || wanted === null || days <= 0
    ? html`${say('The delivery may come too late.')}`
    : sayAround('The delivery comes {days} too late: expected {day}, wanted {wanted}.', {
        days: html`<strong>${daysText(days)}</strong>`,
        day: day(at),
        wanted: text(momentText(wanted)),
      })
}

function orderAtRisk(
  _: ToldException,
  record: JsonObject | null,
  { expectedAt: at, timeZone }: Calendar & Stands,
): Html {
  const wanted = readDay(field(record ?? {}, 'desired_delivery_date'))
  const days = at === null || wanted === null ? 0 : daysBetween(wanted, dayOf(at, timeZone))
  return at === null || wanted === null || days <= 0
    ? html`${say('The order may be delivered too late.')}`
    : sayAround('The order comes {days} too late: expected {day}, wanted {wanted}.', {
        days: html`<strong>${daysText(days)}</strong>`,
        day: day(at),
        wanted: text(momentText(wanted)),
      })
}

function overdueInvoice(_: ToldException, record: JsonObject | null, { now, timeZone }: Calendar): Html {
  const due = record === null ? null : dueDateOf(record)
  const amount = invoiceTotal(record ?? undefined, wording())
  const days = due === null ? 0 : daysBetween(due, dayOf(now, timeZone))
  if (due === null || days <= 0) return html`${say('The invoice is overdue.')}`
  const late = { days: html`<strong>${daysText(days)}</strong>`, due: text(momentText(due)) }
  return amount === ''
    ? sayAround('The invoice is {days} overdue: it was due {due}.', late)
    : sayAround('{amount} are {days} overdue: the invoice was due {due}.', { ...late, amount: text(amount, 60) })
}

function missed({ expectation, told }: ToldException): Html {
  const by = parseInstant(textField(told, 'by'))
  const named = html`<strong>${text(expectation)}</strong>`
  return by === null
    ? sayAround('{expectation} was expected and has not happened.', { expectation: named })
    : sayAround('{expectation} was expected by {instant} and has not happened.', {
        expectation: named,
        instant: instant(by),
      })
}
