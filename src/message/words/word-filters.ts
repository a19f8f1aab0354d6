import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import { carriage, journey } from './journey.ts'
import { at, happened, happening } from './happened.ts'
import { hasDate, moment } from './moment.ts'
import { invoiceTotal, money } from './money.ts'
import { moved, shift } from './moved.ts'
import { clause, short, words } from './short.ts'
import { counted, span } from './span.ts'

/** How templates say values of payloads, by the filters' names. None throws, whatever it is given. */
export const WORD_FILTERS: Readonly<Record<string, (value: Json | undefined) => string>> = {
  at,
  carriage,
  changed,
  clause,
  corrected,
  date_or_none: (value) => moment(value) || 'none',
  days: (value) => counted(Math.abs(Number(value)), 'day'),
  happened,
  happening,
  hours: (value) => span(Math.abs(Number(value)) * 60),
  invoice_total: invoiceTotal,
  journey,
  many,
  moment,
  money,
  moved,
  one,
  shift: (value) => shift(value) ?? '',
  short,
  words,
}

const MOST = 3
const SAYS_NOTHING: ReadonlySet<string> = new Set(['amount', 'date', 'value'])
const SAYS_LITTLE: ReadonlySet<string> = new Set(['currency', 'status', 'unit'])

/** The first of `data.changes`: `: vessel Ever Given → Ever Ace, voyage 1 → 2 and 4 more`; '' where there are none. */
function changed(changes: Json | undefined): string {
  if (changes === undefined || !isJsonArray(changes) || changes.length === 0) return ''
  const shown = changes.slice(0, MOST).map(changeText)
  const more = changes.length - shown.length
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function changeText(change: Json): string {
  return `${words(nameOf(textField(change, 'path') ?? ''))} ${shown(field(change, 'from'))} → ${shown(field(change, 'to'))}`
}

/** The last name on the way: an index says nothing, and `value` nothing without what it is a value of. */
function nameOf(path: string): string {
  const names = parsePointer(path).filter((step) => !/^\d+$/.test(step))
  const [owner, last] = [names.at(-2), names.at(-1)]
  if (last === undefined || owner === undefined) return last ?? path
  if (SAYS_NOTHING.has(last)) return owner
  return SAYS_LITTLE.has(last) ? `${owner}_${last}` : last
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? words(moment(value)) : short(value)
}

/** What became of an actual date that was corrected (`data.date_change`): `is 3 days later: …, not …`, `was taken back: …`. */
function corrected(change: Json | undefined): string {
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  const was = hasDate(from) ? `, not ${moment(from)}` : ''
  if (textField(to, 'status') === 'actual' && hasDate(to)) {
    const away = shift(change)
    return `was corrected${away === null ? '' : `, ${away}`}: ${moment(to)}${was}`
  }
  if (!hasDate(to)) return `was taken back${hasDate(from) ? `; it had been told as ${moment(from)}` : ''}`
  return `was taken back: it is now ${words(field(to, 'status'))} for ${moment(to)}${was}`
}

/** One of what `watch` names: `purchase_orders` → `purchase order`. */
function one(resource: Json | undefined): string {
  const name = words(resource)
  return name === 'tracking' ? 'tracking record' : name.replace(/s$/, '')
}

/** Several of them: `purchase_orders` → `purchase orders`. */
function many(resource: Json | undefined): string {
  const name = words(resource)
  return name === 'tracking' ? 'tracking records' : name
}
