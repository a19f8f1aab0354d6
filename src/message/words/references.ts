import { field, isJsonArray, type Json } from '../../model/json.ts'
import { countOf } from '../wording/numbers.ts'
import type { Wording } from '../wording/wording.ts'
import { short } from './short.ts'

const MOST_NAMES = 5

/** A few names, and how many more there are; null where there are none. */
export function listOf(values: Json | undefined, wording: Wording): string | null {
  if (values === undefined || !isJsonArray(values) || values.length === 0) return null
  const more = values.length - MOST_NAMES
  return `${values.slice(0, MOST_NAMES).map(short).join(', ')}${more > 0 ? countOf(more, 'more', wording) : ''}`
}

/** Which orders and invoices joined a shipment or left it: `: purchase orders + PO-3 − PO-1 · invoices + INV-2`; '' where none did. */
export function referencesText(data: Json | undefined, wording: Wording): string {
  const { colon, watched } = wording.terms
  const parts = [
    turnOf(watched.purchase_orders.many, field(data, 'orders'), wording),
    turnOf(watched.invoices.many, field(data, 'invoices'), wording),
  ].filter((part) => part !== null)
  return parts.length === 0 ? '' : `${colon}${parts.join(' · ')}`
}

function turnOf(name: string, turn: Json | undefined, wording: Wording): string | null {
  const [added, removed] = [listOf(field(turn, 'added'), wording), listOf(field(turn, 'removed'), wording)]
  const parts = [added === null ? [] : [`+ ${added}`], removed === null ? [] : [`− ${removed}`]].flat()
  return parts.length === 0 ? null : `${name} ${parts.join(' ')}`
}
