import { field, textField, type Json } from '../../model/json.ts'
import { MILESTONES } from '../../model/shipment.ts'
import { shortDates } from '../wording/date-pair.ts'
import { units } from '../wording/numbers.ts'
import { AS_SENT, filled, type Wording } from '../wording/wording.ts'
import { hasDate, isSameMoment, moment } from './moment.ts'
import { words } from './short.ts'
import { span } from './span.ts'

/** What happened to a date (`data.date_change`): `moved 3 days later, from … to …`, `is now expected …`. */
export function moved(change: Json | undefined, wording: Wording): string {
  const { dates } = wording.terms
  const away = shift(change, wording)
  const values = sides(change, wording)
  const [from, to] = [hasDate(field(change, 'from')), hasDate(field(change, 'to'))]
  if (from && to && away !== null) return filled(dates.moved, { ...values, shift: away })
  if (!from && to) return filled(dates.appeared, values)
  if (from && !to) return filled(dates.went, values)
  return to ? filled(dates.restated, values) : dates.changed
}

/** How far a date went in all, and between which (`data.date_change`): `ETA 12 → 17 Dec, 5 days later`; '' where it did not move. */
export function netMove(change: Json | undefined, wording: Wording): string {
  const away = shift(change, wording)
  const [from, to] = (['from', 'to'] as const).map((side) => textField(field(change, side), 'date') ?? '')
  const milestone = MILESTONES.find((each) => each === textField(change, 'milestone'))
  if (away === null || milestone === undefined || !from || !to) return ''
  const { milestones, summary } = wording.terms
  return filled(summary.net, { label: milestones[milestone], ...shortDates(from, to, wording), shift: away })
}

/** `3 days later`, `2 hours earlier`; null where the date did not move, or one side has none. */
export function shift(change: Json | undefined, wording: Wording = AS_SENT): string | null {
  const minutes = field(change, 'shift_minutes')
  if (typeof minutes !== 'number' || minutes === 0) return null
  const { dates } = wording.terms
  return filled(minutes > 0 ? dates.later : dates.earlier, { span: span(minutes, wording) })
}

/** How far a day went (`data.shift_days`): `3 days later`; '' where it did not move, or one side has none. */
export function dayShift(data: Json | undefined, wording: Wording): string {
  const days = field(data, 'shift_days')
  if (typeof days !== 'number' || days === 0) return ''
  const { dates } = wording.terms
  return filled(days > 0 ? dates.later : dates.earlier, { span: units(Math.abs(days), 'day', wording) })
}

/** What became of an actual date that was corrected (`data.date_change`): `is 3 days later: …, not …`, `was taken back: …`. */
export function corrected(change: Json | undefined, wording: Wording): string {
  const { dates } = wording.terms
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  const values = sides(change, wording)
  const was = hasDate(from) && !isSameMoment(from, to) ? filled(dates.not, values) : ''
  if (textField(to, 'status') === 'actual' && hasDate(to)) {
    const away = shift(change, wording)
    return filled(dates.corrected, { ...values, away: away === null ? '' : `, ${away}`, was })
  }
  if (!hasDate(to)) return `${dates.takenBack}${hasDate(from) ? filled(dates.knownBefore, values) : ''}`
  return filled(dates.nowInstead, { ...values, was })
}

function sides(change: Json | undefined, wording: Wording): Readonly<Record<string, string>> {
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  return {
    from: moment(from, wording),
    to: moment(to, wording),
    from_status: status(from, wording),
    to_status: status(to, wording),
  }
}

function status(date: Json | undefined, wording: Wording): string {
  return textField(date, 'status') === null ? wording.terms.dates.set : words(field(date, 'status'), wording)
}
