import { field, isJsonArray, isJsonObject, textField, type Json } from '../../model/json.ts'
import { trackingDate } from '../../model/shipment.ts'
import { carriage } from '../words/carriage.ts'
import { routeOf } from '../words/journey.ts'
import { moment } from '../words/moment.ts'
import { short, words } from '../words/short.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

const MOST_NAMES = 5

/** Which shipment, where from and to, on what, with what in it. */
export function shipmentFacts(data: Json | undefined): readonly MaybeFact[] {
  const object = field(data, 'object')
  const shipment = field(data, 'shipment')
  return [
    ...deliveryFacts(data),
    fact('Container', containerOf(field(data, 'container'))),
    fact('Shipment', shipmentOf(shipment)),
    fact('Route', routeOf(object)),
    fact('Mode', wordsOf(field(shipment, 'freight_mode'))),
    fact('Carrier', carrierOf(object)),
    fact('Status', wordsOf(field(shipment, 'status'))),
    ...contentFacts(shipment),
  ]
}

/** The shipment that something else belongs to. */
export function belongsFacts(data: Json | undefined): readonly MaybeFact[] {
  const shipment = field(data, 'shipment')
  const id = textField(field(data, 'object'), 'platform_shipment_id')
  return [fact('Shipment', shipmentOf(shipment) ?? id), ...contentFacts(shipment)]
}

/** A few names, and how many more there are. */
export function listOf(values: Json | undefined): string | null {
  if (values === undefined || !isJsonArray(values) || values.length === 0) return null
  const more = values.length - MOST_NAMES
  return `${values.slice(0, MOST_NAMES).map(short).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Where an event is about the delivery and the day that was asked for. */
function deliveryFacts(data: Json | undefined): readonly MaybeFact[] {
  const object = field(data, 'object')
  if (field(data, 'slack_days') === undefined || object === undefined || !isJsonObject(object)) return []
  return [
    fact('Expected delivery', moment(trackingDate(object, 'delivery')?.raw)),
    fact('Desired delivery', moment(field(object, 'desired_delivery_date'))),
  ]
}

function contentFacts(shipment: Json | undefined): readonly MaybeFact[] {
  return [
    fact('Containers', listOf(field(shipment, 'container_numbers'))),
    fact('Orders', listOf(field(shipment, 'purchase_order_references'))),
    fact('Bills', billsOf(shipment)),
  ]
}

function shipmentOf(shipment: Json | undefined): string | null {
  const [name, id] = [textField(shipment, 'name'), textField(shipment, 'id')]
  return name === null || name === id ? id : `${short(name)} (${id ?? '–'})`
}

function carrierOf(object: Json | undefined): string | null {
  const booking = field(object, 'booking_information')
  const ocean = field(booking, 'ocean_booking')
  const means = {
    vessel: textField(ocean, 'vessel'),
    voyage: textField(ocean, 'voyage'),
    flight_number: textField(field(booking, 'air_booking'), 'flight_number'),
  }
  const known = Object.values(means).some((each) => each !== null)
  const parts = [textField(booking, 'carrier'), known ? carriage(means) : null].filter((each) => each !== null)
  return parts.length === 0 ? null : parts.map(short).join(', ')
}

/** Of a container that an event is about, what its sentence does not say. */
function containerOf(container: Json | undefined): string | null {
  if (container === undefined || !isJsonObject(container)) return null
  const [number, type, seal] = ['container_number', 'container_type', 'seal_number'].map((name) =>
    textField(container, name),
  )
  const parts = [number ?? null, type == null ? null : words(type), seal == null ? null : `seal ${short(seal)}`]
  return parts.filter((each) => each !== null).join(', ')
}

function billsOf(shipment: Json | undefined): string | null {
  const bills = [textField(shipment, 'master_bill'), textField(shipment, 'house_bill')]
  const known = bills.filter((bill) => bill !== null)
  return known.length === 0 ? null : known.map(short).join(' / ')
}
