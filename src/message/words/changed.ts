import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import { moment } from './moment.ts'
import { short, words } from './short.ts'

const MOST = 3
const SAYS_NOTHING: ReadonlySet<string> = new Set(['amount', 'date', 'value'])
const SAYS_LITTLE: ReadonlySet<string> = new Set(['currency', 'status', 'unit'])

/** The first of `data.changes`: `: vessel Ever Given → Ever Ace, voyage 1 → 2 and 4 more`; '' where there are none. */
export function changed(changes: Json | undefined): string {
  if (changes === undefined || !isJsonArray(changes) || changes.length === 0) return ''
  const shown = changes.slice(0, MOST).map(tell)
  const more = changes.length - shown.length
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function tell(change: Json): string {
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
