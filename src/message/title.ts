import { field, isJsonObject, textField, type Json } from '../model/json.ts'
import { parseInstant } from '../model/instant.ts'
import { totalsDifference } from '../model/invoice.ts'
import { MILESTONES } from '../model/shipment.ts'
import { daysBetween, isCalendarDate } from '../model/zoned-day.ts'
import { hasDate } from './words/moment.ts'
import { money, moneyMoves } from './words/money.ts'
import { cut, words } from './words/short.ts'
import { dayText, localTime } from './wording/local-time.ts'
import type { Wording } from './wording/wording.ts'

/** What a headline is made of beside the payload: the whole sentence, and what it says below the name of its shipment. */
interface TitledMessage {
  readonly line: string
  readonly sentence: string
  readonly wording: Wording
  /** Whether an operator's template says it, whose headline is the title then, but for dates that moved. */
  readonly isOwn: boolean
}

const LONGEST = 120
/** What a phone shows of a subject: what a date has to say fits, the name is cut. */
const AT_ONE_LOOK = 60
const LEAST_NAME = 12
const MOST_NEWS = 90
const MOST_NUMBER = 20
const MINUTES_OF_HOUR = 60
const MINUTES_OF_DAY = 1_440

/**
 * An event as a headline, the news first: of a date that moved or was reached what, how far, the new value and whose (`ETA +3d →
 * Tue 15 Dec 10:00 · Spring collection`), likewise of a day or an amount, of a shipment otherwise what happened and to which; of all else the sentence without
 * its stop.
 */
export function titleOf(payload: Json, { isOwn, line, sentence, wording }: TitledMessage): string {
  const whole = cut(withoutStop(sentence), LONGEST)
  const cause = textField(payload, 'cause')
  // Both have to say something first.
  if (cause === 'test' || cause === 'reminder' || (isOwn && !isMove(payload))) return whole
  const news = datedNews(payload, wording) ?? dayNews(payload, wording) ?? amountNews(payload, wording)
  const name = shipmentName(payload)
  if (news !== null) {
    return titleOfNews(news, name ?? textField(field(payload, 'subject'), 'id') ?? '–')
  }
  if (name === null) return whole
  return cut(`${cut(withoutStop(line), MOST_NEWS)} · ${name}`, LONGEST)
}

/** News and whose they are: what a phone shows at one look has all of the news, and of the name what fits. */
export function titleOfNews(news: string, whose: string): string {
  return `${news} · ${cut(whose, Math.max(LEAST_NAME, AT_ONE_LOOK - news.length - 3))}`
}

/** Whether an event tells of nothing but a date that moved. */
function isMove(payload: Json): boolean {
  const type = textField(payload, 'type') ?? ''
  return MOVES.has(type) || type === 'purchase_order.eta_changed'
}

/** A sentence as a headline has it. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** The shortest good name of the shipment that an event belongs to: what people call it, else its id; null: it belongs to none. */
function shipmentName(payload: Json): string | null {
  const subject = field(payload, 'subject')
  const shipment = field(field(payload, 'data'), 'shipment')
  const name = textField(shipment, 'name')?.trim() || textField(shipment, 'id')
  if (name) return name
  const resource = textField(subject, 'resource')
  return resource === 'shipment' || resource === 'tracking' ? textField(subject, 'id') : null
}

/** What moved how far to when, or was reached when; null where the event tells of no such date. */
function datedNews(payload: Json, wording: Wording): string | null {
  const type = textField(payload, 'type') ?? ''
  const data = field(payload, 'data')
  const isOfOrder = type === 'purchase_order.eta_changed'
  const change = isOfOrder ? data : field(data, 'date_change')
  const reached = REACHED.get(type)
  const [minutes, to] = [field(change, 'shift_minutes'), field(change, 'to')]
  const isCorrected = type === 'shipment.milestone_corrected' && textField(to, 'status') === 'actual'
  if (!isOfOrder && reached === undefined && !MOVES.has(type) && !isCorrected) return null
  const at = hasDate(to) ? shortly(textField(to, 'date') ?? '', wording) : null
  if (at === null) return null
  const hasMoved = typeof minutes === 'number' && Math.round(minutes) !== 0
  if (reached !== undefined)
    return `${capital(words(reached, wording))}${hasMoved ? ` ${signed(minutes)} →` : ''} ${at}`
  if (!hasMoved) return null
  const milestone = MILESTONES.find((each) => each === textField(change, 'milestone'))
  const { labels, milestones } = wording.terms
  const what = milestone === undefined ? labels.expected_delivery : milestones[milestone]
  const corrected = `${capital(words(milestone ?? null, wording))} (${words('actual', wording)})`
  return `${isCorrected ? corrected : what} ${signed(minutes)} → ${at}`
}

/** Which day moved how far to when; null where the event tells of no such day. */
function dayNews(payload: Json, wording: Wording): string | null {
  const type = textField(payload, 'type') ?? ''
  const what = dayNamed(type, payload, wording)
  const data = field(payload, 'data')
  const [from = '', to = ''] = ['from', 'to'].map((side) => (textField(data, side) ?? '').slice(0, 10))
  if (what === null || !isCalendarDate(to)) return null
  const days = isCalendarDate(from) ? daysBetween(from, to) : 0
  const move = days === 0 ? '' : ` ${signed(days * MINUTES_OF_DAY)}`
  return `${what}${move} → ${dayText(to, wording.language, { withYear: false })}`
}

function dayNamed(type: string, payload: Json, wording: Wording): string | null {
  const { labels } = wording.terms
  if (type === 'shipment.desired_delivery_date_changed') return labels.desired_delivery
  if (type === 'shipment.cargo_ready_date_changed') return capital(words('cargo_ready_date', wording))
  return type.endsWith('.due_date_changed') ? `${labels.due_date} ${numberOf(payload)}` : null
}

/** What an amount changed by, and what it is now; null where the event tells of no amount. */
function amountNews(payload: Json, wording: Wording): string | null {
  if (textField(payload, 'type')?.endsWith('.amount_changed') !== true) return null
  const [from, to] = ['from', 'to'].map((side) => field(field(payload, 'data'), side))
  if (to === undefined || !isJsonObject(to) || Object.keys(to).length !== 1) return null
  const moves = from !== undefined && isJsonObject(from) ? moneyMoves(totalsDifference(from, to), wording) : ''
  return `${wording.terms.labels.amount} ${numberOf(payload)}${moves === '' ? '' : ` ${moves}`} → ${money(to, wording)}`
}

/** The number of an invoice, else its id. */
function numberOf(payload: Json): string {
  const number = textField(field(field(payload, 'data'), 'object'), 'number')?.trim()
  return cut(number || (textField(field(payload, 'subject'), 'id') ?? '–'), MOST_NUMBER)
}

/** The events that tell of nothing but a date that moved. */
const MOVES: ReadonlySet<string> = new Set(
  ['pickup_date', 'etd', 'eta', 'delivery_date'].map((name) => `shipment.${name}_changed`),
)

/** The events that tell that a milestone was reached, and the word for it. */
const REACHED: ReadonlyMap<string, string> = new Map(
  ['picked_up', 'departed', 'arrived', 'delivered'].map((word) => [`shipment.${word}`, word]),
)

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `+3d`, `-1d4h`, `+9h30`, `+25min` */
function signed(minutes: number): string {
  const all = Math.abs(Math.round(minutes))
  const [days, hours, rest] = [
    Math.floor(all / MINUTES_OF_DAY),
    Math.floor((all % MINUTES_OF_DAY) / MINUTES_OF_HOUR),
    all % MINUTES_OF_HOUR,
  ]
  const sign = minutes > 0 ? '+' : '-'
  if (days > 0) return `${sign}${days}d${hours > 0 ? `${hours}h` : ''}`
  if (hours === 0) return `${sign}${rest}min`
  return `${sign}${hours}h${rest > 0 ? String(rest).padStart(2, '0') : ''}`
}

/** `Tue 1 Dec 19:30`; null where it is no date. */
function shortly(text: string, { language, timeZone }: Wording): string | null {
  const instant = parseInstant(text)
  if (instant === null) return null
  const { date, time } = localTime(instant, language, timeZone ?? 'UTC')
  return `${dayText(date, language, { withYear: false })} ${time}`
}
