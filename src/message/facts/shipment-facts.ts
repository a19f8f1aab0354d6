import { field, isJsonObject, textField, type Json } from '../../model/json.ts'
import { trackingDate } from '../../model/shipment.ts'
import { carriage, routeOf } from '../words/journey.ts'
import { moment } from '../words/moment.ts'
import { listOf } from '../words/references.ts'
import { short, words } from '../words/short.ts'
import { filled, type Wording } from '../wording/wording.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

/** Which shipment, where from and to, on what, with what in it. */
export function shipmentFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const object = field(data, 'object')
  const { contents, mode, named, status } = summaryFacts(field(data, 'shipment'), wording)
  return [
    ...deliveryFacts(data, wording),
    fact('container', containerOf(field(data, 'container'), wording)),
    named,
    fact('route', routeOf(object)),
    mode,
    fact('carrier', carrierOf(object, wording)),
    status,
    ...contents,
  ]
}

/** What stands of a shipment with each of its events, whatever its record says. */
export function summaryFacts(shipment: Json | undefined, wording: Wording) {
  return {
    named: fact('shipment', shipmentOf(shipment)),
    mode: fact('mode', wordsOf(field(shipment, 'freight_mode'), wording)),
    status: fact('status', wordsOf(field(shipment, 'status'), wording)),
    contents: contentFacts(shipment, wording),
  }
}

/** The shipment that something else belongs to. */
export function belongsFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const shipment = field(data, 'shipment')
  const id = textField(field(data, 'object'), 'platform_shipment_id')
  return [fact('shipment', shipmentOf(shipment) ?? id), ...contentFacts(shipment, wording)]
}

/** Where an event is about the delivery and the day that was asked for. */
function deliveryFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const object = field(data, 'object')
  if (field(data, 'slack_days') === undefined || object === undefined || !isJsonObject(object)) return []
  return [
    fact('expected_delivery', moment(trackingDate(object, 'delivery')?.raw, wording)),
    fact('desired_delivery', moment(field(object, 'desired_delivery_date'), wording)),
  ]
}

function contentFacts(shipment: Json | undefined, wording: Wording): readonly MaybeFact[] {
  return [
    fact('containers', listOf(field(shipment, 'container_numbers'), wording)),
    fact('orders', listOf(field(shipment, 'purchase_order_references'), wording)),
    fact('bills', billsOf(shipment)),
  ]
}

function shipmentOf(shipment: Json | undefined): string | null {
  const [name, id] = [textField(shipment, 'name'), textField(shipment, 'id')]
  return name === null || name === id ? id : `${short(name)} (${id ?? '–'})`
}

function carrierOf(object: Json | undefined, wording: Wording): string | null {
  const booking = field(object, 'booking_information')
  const ocean = field(booking, 'ocean_booking')
  const means = {
    vessel: textField(ocean, 'vessel'),
    voyage: textField(ocean, 'voyage'),
    flight_number: textField(field(booking, 'air_booking'), 'flight_number'),
  }
  const known = Object.values(means).some((each) => each !== null)
  const parts = [textField(booking, 'carrier'), known ? carriage(means, wording) : null].filter((each) => each !== null)
  return parts.length === 0 ? null : parts.map(short).join(', ')
}

/** What the sentence of an event about a container does not say of it. */
function containerOf(container: Json | undefined, wording: Wording): string | null {
  if (container === undefined || !isJsonObject(container)) return null
  const [number, type, seal] = ['container_number', 'container_type', 'seal_number'].map((name) =>
    textField(container, name),
  )
  const parts = [
    number ?? null,
    type == null ? null : words(type, wording),
    seal == null ? null : filled(wording.terms.seal, { seal: short(seal) }),
  ]
  return parts.filter((each) => each !== null).join(', ')
}

function billsOf(shipment: Json | undefined): string | null {
  const bills = [textField(shipment, 'master_bill'), textField(shipment, 'house_bill')]
  const known = bills.filter((bill) => bill !== null)
  return known.length === 0 ? null : known.map(short).join(' / ')
}
