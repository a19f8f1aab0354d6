import { field, textField, type Json } from '../model/json.ts'
import { parseInstant } from '../model/instant.ts'
import { MILESTONES } from '../model/shipment.ts'
import type { Message } from './message.ts'
import { hasDate } from './words/moment.ts'
import { cut } from './words/short.ts'
import { dayText, localTime } from './wording/local-time.ts'
import type { Wording } from './wording/wording.ts'

const LONGEST = 120
const MINUTES_OF_HOUR = 60
const MINUTES_OF_DAY = 1_440

/**
 * An event as a headline: of a date that moved what, how far, the new value and whose (`ETA +3d → Tue 15 Dec 10:00 · Spring collection`);
 * of all else the sentence without its stop.
 */
export function titleOf(
  payload: Json,
  { about, sentence, wording }: Pick<Message, 'about' | 'sentence' | 'wording'>,
): string {
  const news = movedDate(payload, wording)
  if (news === null) return cut(sentence.replace(/\.$/, ''), LONGEST)
  const shipment = field(field(payload, 'data'), 'shipment')
  return cut(`${news} · ${textField(shipment, 'name') ?? textField(shipment, 'id') ?? about}`, LONGEST)
}

/** What moved how far to when; null where no date of it did, or something else has to be said first. */
function movedDate(payload: Json, wording: Wording): string | null {
  const cause = textField(payload, 'cause')
  if (cause === 'test' || cause === 'reminder') return null
  const type = textField(payload, 'type') ?? ''
  const data = field(payload, 'data')
  const isOfOrder = type === 'purchase_order.eta_changed'
  const change = isOfOrder ? data : field(data, 'date_change')
  const [minutes, to] = [field(change, 'shift_minutes'), field(change, 'to')]
  if (!isOfOrder && !MOVES.has(type)) return null
  if (typeof minutes !== 'number' || Math.round(minutes) === 0 || !hasDate(to)) return null
  const milestone = MILESTONES.find((each) => each === textField(change, 'milestone'))
  const { labels, milestones } = wording.terms
  const what = milestone === undefined ? labels.expected_delivery : milestones[milestone]
  const at = shortly(textField(to, 'date') ?? '', wording)
  return at === null ? null : `${what} ${signed(minutes)} → ${at}`
}

/** The events that tell of nothing but a date that moved. */
const MOVES: ReadonlySet<string> = new Set(
  ['pickup_date', 'etd', 'eta', 'delivery_date'].map((name) => `shipment.${name}_changed`),
)

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
