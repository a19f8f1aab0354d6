import type { Fact } from './fact.ts'
import { field, isJsonArray, textField, type Json } from '../model/json.ts'
import { moment } from './words/moment.ts'
import { shift } from './words/moved.ts'
import { cut, short, words } from './words/short.ts'

const LONGEST = 300
const MOST_NAMES = 5

/** What moved, from, to and by how much, and what it touches: shipment, route, containers, orders; only what is known. */
export function factsOf(payload: Json): readonly Fact[] {
  const data = field(payload, 'data')
  const change = field(data, 'date_change')
  const shipment = field(data, 'shipment')
  return [
    fact('From', moment(field(change, 'from'))),
    fact('To', moment(field(change, 'to'))),
    fact('Moved', shift(change)),
    fact('First told', driftOf(change)),
    fact('Shipment', shipmentOf(shipment)),
    fact('Route', routeOf(field(data, 'object'))),
    fact('Mode', wordsOf(field(shipment, 'freight_mode'))),
    fact('Status', wordsOf(field(shipment, 'status'))),
    fact('Containers', listOf(field(shipment, 'container_numbers'))),
    fact('Orders', listOf(field(shipment, 'purchase_order_references'))),
    fact('Bills', billsOf(shipment)),
    fact('Account', textField(payload, 'account')),
  ].filter((each) => each !== null)
}

function fact(label: string, value: string | null): Fact | null {
  return value === null || value === '' ? null : { label, value: cut(value, LONGEST) }
}

/** Only where it is not what `From` says already. */
function driftOf(change: Json | undefined): string | null {
  const first = textField(field(change, 'first'), 'date')
  return first === null || first === textField(field(change, 'from'), 'date') ? null : moment(first)
}

function shipmentOf(shipment: Json | undefined): string | null {
  const [name, id] = [textField(shipment, 'name'), textField(shipment, 'id')]
  return name === null || name === id ? id : `${short(name)} (${id ?? '–'})`
}

function routeOf(object: Json | undefined): string | null {
  const route = field(object, 'route')
  const ports = [textField(route, 'origin_port_unlocode'), textField(route, 'destination_port_unlocode')]
  return ports.every((port) => port === null) ? null : ports.map((port) => port ?? '–').join(' → ')
}

function wordsOf(value: Json | undefined): string | null {
  return value === undefined || value === null || value === '' ? null : words(value)
}

function listOf(values: Json | undefined): string | null {
  if (values === undefined || !isJsonArray(values) || values.length === 0) return null
  const more = values.length - MOST_NAMES
  return `${values.slice(0, MOST_NAMES).map(short).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function billsOf(shipment: Json | undefined): string | null {
  const bills = [textField(shipment, 'master_bill'), textField(shipment, 'house_bill')]
  const known = bills.filter((bill) => bill !== null)
  return known.length === 0 ? null : known.map(short).join(' / ')
}
