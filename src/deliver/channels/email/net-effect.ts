import type { Severity } from '../../../model/severity.ts'
import { shortDates } from '../../../message/wording/date-pair.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { span } from '../../../message/words/span.ts'
import { words } from '../../../message/words/short.ts'
import { parseInstant } from '../../../model/instant.ts'
import { field, textField, type Json } from '../../../model/json.ts'
import { MILESTONES, type Milestone } from '../../../model/shipment.ts'
import { isCalendarDate } from '../../../model/zoned-day.ts'
import { settlesDue, type RenderedEvent } from './rendered-event.ts'

/** What became of one thing in the time that a message tells of. */
export interface NetLine {
  readonly tone: Severity
  readonly sentence: string
  /** The events that the line sums up, oldest first; more than one where they are said as one. */
  readonly events: readonly [RenderedEvent, ...RenderedEvent[]]
  /** How far a date went in all, in minutes; null: no date did, or it came back. */
  readonly minutes: number | null
}

/** What became of one subject: of each date and status where it stands by now, of everything else each event. */
export function netLines(events: readonly RenderedEvent[]): readonly NetLine[] {
  const topics = Map.groupBy(events, (each) => topicOf(each) ?? `event:${each.event.id}`)
  return [...topics].flatMap(([topic, [first, ...rest]]) => {
    if (first === undefined || isClosed(topic, rest.at(-1) ?? first, events)) return []
    return [rest.length === 0 ? ownLine(first) : netLine(topic, [first, ...rest])]
  })
}

function ownLine(only: RenderedEvent): NetLine {
  const minutes = field(field(only.event.extras, 'date_change'), 'shift_minutes')
  const { sentence, tone } = only.message
  return { tone, sentence, events: [only], minutes: typeof minutes === 'number' && minutes !== 0 ? minutes : null }
}

/** Among the dates that slipped most, one that moved once is told as short as those that moved often. */
export function slipLine(line: NetLine): NetLine {
  const [only, ...rest] = line.events
  const milestone = milestoneOf(only)
  if (rest.length > 0 || milestone === null || REACHED.test(only.event.type)) return line
  return dateLine(milestone, [only]) ?? line
}

const REACHED = /^shipment\.(?:picked_up|departed|arrived|delivered)$/

/** What later events of the same topic say anew; null: an event stands for itself. */
function topicOf({ event: { extras, subject, type } }: RenderedEvent): string | null {
  const milestone = textField(field(extras, 'date_change'), 'milestone') ?? textField(extras, 'milestone')
  if (/^shipment\.(?:problem_|milestone_overdue)/.test(type)) return `trouble:${milestone}`
  if (/^shipment\.delivery_(?:at_risk|back_on_track)/.test(type)) return 'risk'
  if (type.endsWith('.due_date_changed')) return 'date:due'
  if (Object.hasOwn(extras, 'date_change')) return `date:${milestone}`
  if (type.endsWith('.status_changed')) return `status:${subject.resource}`
  return /^invoice\.(?:due|overdue)/.test(type) ? 'due' : null
}

/** Whether what happened after the last event of a topic says that it is no longer so: a milestone was reached, an invoice paid. */
function isClosed(topic: string, last: RenderedEvent, events: readonly RenderedEvent[]): boolean {
  const later = events.slice(events.indexOf(last) + 1)
  const reached = later.filter(({ event }) => REACHED.test(event.type))
  if (topic === 'due') return later.some(settlesDue)
  if (topic === 'risk') return reached.some((each) => milestoneOf(each) === 'delivery')
  return topic.startsWith('trouble:') && reached.some((each) => topic === `trouble:${milestoneOf(each)}`)
}

function milestoneOf({ event }: RenderedEvent): string | null {
  return textField(field(event.extras, 'date_change'), 'milestone')
}

type Several = readonly [RenderedEvent, ...RenderedEvent[]]

/** Where a topic stands after several events: the last one's sentence, or how far it went in all. */
function netLine(topic: string, events: Several): NetLine {
  const last = events.at(-1) ?? events[0]
  const said = { ...ownLine(last), events }
  if (REACHED.test(last.event.type) || last.event.type === 'shipment.milestone_corrected') return said
  if (topic.startsWith('date:')) return dateLine(topic.slice('date:'.length), events) ?? said
  return topic.startsWith('status:') ? (statusLine(events) ?? said) : said
}

/** The net move of a date; null where one of the two dates is not known. */
function dateLine(name: string, events: Several): NetLine | null {
  const last = events.at(-1) ?? events[0]
  const { wording, about } = last.message
  const [from, to] = [sideOf(events[0], 'from'), sideOf(last, 'to')]
  const [before, after] = [instantOf(from), instantOf(to)]
  if (before === null || after === null) return null
  const minutes = Math.round((after - before) / 60_000)
  const dates = shortDates(textOf(from), textOf(to), wording)
  const label = labelOf(name, wording)
  if (minutes === 0) return backLine(filled(wording.terms.summary.cameBack, { label, ...dates }), about, events)
  const { dates: terms } = wording.terms
  const shift = filled(minutes > 0 ? terms.later : terms.earlier, { span: span(minutes, wording) })
  const net = filled(wording.terms.summary.net, { label, ...dates, shift })
  const moves = countOf(events.length, 'move', wording)
  const tone = minutes > 0 ? 'warning' : 'good'
  return { tone, sentence: `${about}${wording.terms.colon}${net}, ${moves}.`, events, minutes }
}

function backLine(text: string, about: string, events: Several): NetLine {
  const { colon } = (events.at(-1) ?? events[0]).message.wording.terms
  return { tone: 'neutral', sentence: `${about}${colon}${text}.`, events, minutes: null }
}

/** The net change of a status; null where one of the two is not known. */
function statusLine(events: Several): NetLine | null {
  const last = events.at(-1) ?? events[0]
  const { wording, about } = last.message
  const [from, to] = [textField(events[0].event.extras, 'from'), textField(last.event.extras, 'to')]
  if (from === null || to === null) return null
  const label = wording.terms.labels.status
  if (from === to)
    return backLine(filled(wording.terms.summary.cameBack, { label, to: words(to, wording) }), about, events)
  const net = `${label} ${words(from, wording)} → ${words(to, wording)}`
  const { tone } = last.message
  return { tone, sentence: `${about}${wording.terms.colon}${net}.`, events, minutes: null }
}

function sideOf({ event: { extras } }: RenderedEvent, side: 'from' | 'to'): Json | undefined {
  const change = field(extras, 'date_change')
  return field(change ?? extras, side)
}

function textOf(side: Json | undefined): string {
  return typeof side === 'string' ? side : (textField(side, 'date') ?? '')
}

function instantOf(side: Json | undefined): number | null {
  const text = textOf(side)
  return isCalendarDate(text) ? Date.parse(text) : parseInstant(text)
}

function labelOf(name: string, { terms }: Wording): string {
  const milestone = MILESTONES.find((each): each is Milestone => each === name)
  return milestone === undefined ? terms.labels.due_date : terms.milestones[milestone]
}
