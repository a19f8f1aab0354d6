import { field, textField, type Json } from '../../model/json.ts'
import { hasDate, moment } from './moment.ts'
import { words } from './short.ts'
import { span } from './span.ts'

/** What happened to a date (`data.date_change`): `moved 3 days later, from … to …`, `is now expected …`. */
export function moved(change: Json | undefined): string {
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  const away = shift(change)
  if (hasDate(from) && hasDate(to) && away !== null) return `moved ${away}, from ${moment(from)} to ${moment(to)}`
  if (!hasDate(from) && hasDate(to)) return `is now ${status(to)} for ${moment(to)}; no date was known before`
  if (hasDate(from) && !hasDate(to)) return `is no longer known; it was ${status(from)} for ${moment(from)}`
  if (hasDate(to)) return `is now ${status(to)} instead of ${status(from)}: ${moment(to)}`
  return 'changed'
}

/** `3 days later`, `2 hours earlier`; null where the date did not move, or one side has none. */
export function shift(change: Json | undefined): string | null {
  const minutes = field(change, 'shift_minutes')
  if (typeof minutes !== 'number' || minutes === 0) return null
  return `${span(minutes)} ${minutes > 0 ? 'later' : 'earlier'}`
}

function status(date: Json | undefined): string {
  return textField(date, 'status') === null ? 'set' : words(field(date, 'status'))
}
