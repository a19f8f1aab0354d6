import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import { WATCHABLES } from '../../model/resource.ts'
import { countOf, inDays, units } from '../wording/numbers.ts'
import type { Wording } from '../wording/wording.ts'
import { at, before, happened, happening } from './happened.ts'
import { carriage, journey, portsOf } from './journey.ts'
import { moment } from './moment.ts'
import { invoiceTotal, money } from './money.ts'
import { corrected, dayShift, moved, netMove, shift } from './moved.ts'
import { referencesText } from './references.ts'
import { clause, short, words } from './short.ts'
import { span } from './span.ts'

/** How templates say values of payloads to a reader, by the filters' names. None throws, whatever it is given. */
export const WORD_FILTERS: Readonly<Record<string, (value: Json | undefined, wording: Wording) => string>> = {
  at,
  before,
  carriage,
  changed,
  clause: (value) => clause(value),
  corrected,
  date_or_none: (value, wording) => moment(value, wording) || wording.terms.dates.none,
  day_shift: dayShift,
  days: (value, wording) => units(Math.abs(Number(value)), 'day', wording),
  happened,
  happening,
  hours: (value, wording) => span(Math.abs(Number(value)) * 60, wording),
  in_days: (value, wording) => inDays(Math.abs(Math.round(Number(value))) || 0, wording),
  invoice_total: invoiceTotal,
  journey,
  many: (value, wording) => resource(value, 'many', wording),
  moment,
  money,
  moved,
  net_move: netMove,
  one: (value, wording) => resource(value, 'one', wording),
  ports: portsOf,
  references: referencesText,
  shift: (value, wording) => shift(value, wording) ?? '',
  short: (value) => short(value),
  words,
}

const MOST = 3
const SAYS_NOTHING: ReadonlySet<string> = new Set(['amount', 'date', 'value'])
const SAYS_LITTLE: ReadonlySet<string> = new Set(['currency', 'status', 'unit'])

/** The first of `data.changes`: `: vessel Ever Given → Ever Ace, voyage 1 → 2 and 4 more`; '' where there are none. */
function changed(changes: Json | undefined, wording: Wording): string {
  if (changes === undefined || !isJsonArray(changes) || changes.length === 0) return ''
  const shown = changes.slice(0, MOST).map((change) => changeText(change, wording))
  const more = changes.length - shown.length
  return `${wording.terms.colon}${shown.join(', ')}${more > 0 ? countOf(more, 'more', wording) : ''}`
}

function changeText(change: Json, wording: Wording): string {
  const [from, to] = [shown(field(change, 'from'), wording), shown(field(change, 'to'), wording)]
  return `${words(nameOf(textField(change, 'path') ?? ''), wording)} ${from} → ${to}`
}

/** The last name on the way: an index says nothing, and `value` nothing without what it is a value of. */
function nameOf(path: string): string {
  const names = parsePointer(path).filter((step) => !/^\d+$/.test(step))
  const [owner, last] = [names.at(-2), names.at(-1)]
  if (last === undefined || owner === undefined) return last ?? path
  if (SAYS_NOTHING.has(last)) return owner
  return SAYS_LITTLE.has(last) ? `${owner}_${last}` : last
}

function shown(value: Json | undefined, wording: Wording): string {
  return typeof value === 'string' ? words(moment(value, wording), wording) : short(value)
}

/** What `watch` names: `purchase_orders` → `purchase order` or `purchase orders`. */
function resource(value: Json | undefined, form: 'one' | 'many', wording: Wording): string {
  const named = WATCHABLES.find((name) => name === value)
  return named === undefined ? words(value, wording) : wording.terms.watched[named][form]
}
