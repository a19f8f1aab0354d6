import { totalsDifference } from '../../model/invoice.ts'
import { field, isJsonObject, textField, type Json } from '../../model/json.ts'
import { carriage } from '../words/journey.ts'
import { placeOf } from '../words/happened.ts'
import { moment } from '../words/moment.ts'
import { invoiceTotal, money, moneyMoves } from '../words/money.ts'
import { shift } from '../words/moved.ts'
import { words } from '../words/short.ts'
import { span } from '../words/span.ts'
import { fact, wordsOf, type Fact, type MaybeFact } from './fact.ts'
import { documentFacts, locationFacts, orderFacts, preparationFacts } from './record-facts.ts'
import { belongsFacts, shipmentFacts } from './shipment-facts.ts'

/** What moved, from, to and by how much, and what it touches; only what is known. */
export function factsOf(payload: Json): readonly Fact[] {
  const data = field(payload, 'data')
  const facts = [...changeFacts(payload), ...factsAbout(payload, data), fact('Account', textField(payload, 'account'))]
  return facts.filter((each) => each !== null)
}

function factsAbout(payload: Json, data: Json | undefined): readonly MaybeFact[] {
  switch (textField(field(payload, 'subject'), 'resource') ?? '') {
    case 'invoice':
      return [...invoiceFacts(data), ...belongsFacts(data)]
    case 'tracking':
      return [...trackingFacts(data), ...belongsFacts(data)]
    case 'document':
      return documentFacts(data)
    case 'purchase_order':
      return orderFacts(data)
    case 'location':
      return locationFacts(data)
    case 'order_preparation':
      return preparationFacts(data)
    default:
      return shipmentFacts(data)
  }
}

/** From what to what, how far, and how late it is told. */
function changeFacts(payload: Json): readonly MaybeFact[] {
  const type = textField(payload, 'type') ?? ''
  const data = field(payload, 'data')
  const change = field(data, 'date_change')
  const [from, to] =
    change === undefined ? [field(data, 'from'), field(data, 'to')] : [field(change, 'from'), field(change, 'to')]
  const late = field(data, 'late_by')
  return [
    fact('From', sideOf(type, from)),
    fact('To', sideOf(type, to)),
    fact('Moved', shift(change)),
    fact('Difference', type.endsWith('.amount_changed') ? differenceOf(from, to) : null),
    fact('First told', driftOf(change)),
    fact('Told late by', typeof late === 'number' && late > 0 ? span(late) : null),
  ]
}

function sideOf(type: string, side: Json | undefined): string | null {
  if (type.endsWith('.amount_changed')) return side === undefined ? null : money(side)
  if (type === 'shipment.rolled') return side === undefined ? null : carriage(side)
  return type.endsWith('status_changed') ? wordsOf(side) : moment(side)
}

function differenceOf(from: Json | undefined, to: Json | undefined): string | null {
  return from !== undefined && to !== undefined && isJsonObject(from) && isJsonObject(to)
    ? moneyMoves(totalsDifference(from, to))
    : null
}

/** Only where it is not what `From` says already. */
function driftOf(change: Json | undefined): string | null {
  const first = textField(field(change, 'first'), 'date')
  return first === null || first === textField(field(change, 'from'), 'date') ? null : moment(first)
}

/** Which invoice, over how much, and when it is to be paid. */
function invoiceFacts(data: Json | undefined): readonly MaybeFact[] {
  const invoice = field(data, 'object')
  return [
    fact('Number', textField(invoice, 'number')),
    fact('Reference', textField(invoice, 'reference')),
    fact('Amount', invoiceTotal(invoice)),
    fact('Due date', moment(field(data, 'due_date') ?? field(invoice, 'due_date'))),
    fact('Status', wordsOf(field(invoice, 'status'))),
    fact('Sent', moment(field(invoice, 'sent_date'))),
  ]
}

/** What happened to which container, where and when, and what was said of it before. */
function trackingFacts(data: Json | undefined): readonly MaybeFact[] {
  const [now, before] = [field(data, 'event'), field(data, 'previous_event')]
  const event = textField(now, 'description') === null && now === null ? before : now
  return [
    fact('Event', textField(event, 'description')),
    fact('Container', textField(event, 'container_number')),
    fact('Place', placeOf(field(data, 'step'))),
    fact('When', whenOf(now)),
    fact('Before', whenOf(before)),
    fact('Position', positionOf(field(data, 'position'))),
    fact('Tracking', wordsOf(field(field(data, 'object'), 'status'))),
  ]
}

function whenOf(event: Json | undefined): string | null {
  const date = moment(field(event, 'date'))
  const status = textField(event, 'status')
  return [date, status === null ? '' : words(status)].filter((each) => each !== '').join(', ')
}

function positionOf(position: Json | undefined): string | null {
  const [latitude, longitude] = [textField(position, 'latitude'), textField(position, 'longitude')]
  return latitude === null || longitude === null ? null : `${latitude}, ${longitude}`
}
