import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import { moment } from './moment.ts'
import { short, words } from './short.ts'

const MOST = 3

/** The first of `data.changes`: `: vessel Ever Given → Ever Ace, voyage 1 → 2 and 4 more`; '' where there are none. */
export function changed(changes: Json | undefined): string {
  if (changes === undefined || !isJsonArray(changes) || changes.length === 0) return ''
  const told = changes.slice(0, MOST).map(tell)
  const more = changes.length - told.length
  return `: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function tell(change: Json): string {
  return `${words(nameOf(textField(change, 'path') ?? ''))} ${shown(field(change, 'from'))} → ${shown(field(change, 'to'))}`
}

/** The last name on the way: an index says nothing. */
function nameOf(path: string): string {
  const steps = parsePointer(path)
  return steps.findLast((step) => !/^\d+$/.test(step)) ?? path
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? short(moment(value)) : short(value)
}
