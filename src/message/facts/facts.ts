import { field, textField, type Json } from '../../model/json.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'
import { placeOf } from '../words/happened.ts'
import { isSameMoment, moment } from '../words/moment.ts'
import { invoiceTotal } from '../words/money.ts'
import { words } from '../words/short.ts'
import { AS_SENT, type Wording } from '../wording/wording.ts'
import { changeFacts } from './change-facts.ts'
import { fact, wordsOf, type Fact, type MaybeFact } from './fact.ts'
import { documentFacts, locationFacts, orderFacts, preparationFacts } from './record-facts.ts'
import { belongsFacts, shipmentFacts } from './shipment-facts.ts'

/** What moved, from, to and by how much, and what it touches; only what is known. */
export function factsOf(payload: Json, wording: Wording = AS_SENT): readonly Fact[] {
  const facts = [
    ...changeFacts(payload, wording),
    ...factsAbout(payload, wording),
    fact('account', textField(payload, 'account')),
  ]
  return facts.filter((each) => each !== null).map((each) => ({ ...each, label: wording.terms.labels[each.name] }))
}

type FactsOf = (data: Json | undefined, wording: Wording) => readonly MaybeFact[]

/** What people hear of each record. What is about no record, as an account, has the facts of the shipments that it names. */
const FACTS_ABOUT: Readonly<Record<RecordResource, FactsOf>> = {
  shipment: shipmentFacts,
  tracking: (data, wording) => [...trackingFacts(data, wording), ...belongsFacts(data, wording)],
  invoice: (data, wording) => [...invoiceFacts(data, wording), ...belongsFacts(data, wording)],
  document: documentFacts,
  purchase_order: orderFacts,
  location: locationFacts,
  order_preparation: preparationFacts,
}

/** What an event is about, without what changed. */
export function factsAbout(payload: Json, wording: Wording): readonly MaybeFact[] {
  const resource = textField(field(payload, 'subject'), 'resource') ?? ''
  const facts = isRecordResource(resource) ? FACTS_ABOUT[resource] : shipmentFacts
  return facts(field(payload, 'data'), wording)
}

/** Which invoice, over how much, and when it is to be paid. */
function invoiceFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const invoice = field(data, 'object')
  return [
    fact('number', textField(invoice, 'number')),
    fact('reference', textField(invoice, 'reference')),
    fact('amount', invoiceTotal(invoice, wording)),
    fact('due_date', moment(field(data, 'due_date') ?? field(invoice, 'due_date'), wording)),
    fact('status', wordsOf(field(invoice, 'status'), wording)),
    fact('sent', moment(field(invoice, 'sent_date'), wording)),
  ]
}

/** What happened to which container, where and when, and what was said of it before. */
function trackingFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const [now, before] = [field(data, 'event'), field(data, 'previous_event')]
  const event = textField(now, 'description') === null && now === null ? before : now
  return [
    fact('event', textField(event, 'description')),
    fact('container', textField(event, 'container_number')),
    fact('place', placeOf(field(data, 'step'))),
    fact('when', whenOf(now, wording)),
    fact('before', isSameMoment(now, before) ? statusOf(before, wording) : whenOf(before, wording)),
    fact('position', positionOf(field(data, 'position'))),
    fact('tracking', wordsOf(field(field(data, 'object'), 'status'), wording)),
  ]
}

function whenOf(event: Json | undefined, wording: Wording): string | null {
  const parts = [moment(field(event, 'date'), wording), statusOf(event, wording)]
  return parts.filter((each) => each !== '').join(', ')
}

function statusOf(event: Json | undefined, wording: Wording): string {
  const status = textField(event, 'status')
  return status === null ? '' : words(status, wording)
}

function positionOf(position: Json | undefined): string | null {
  const [latitude, longitude] = [textField(position, 'latitude'), textField(position, 'longitude')]
  return latitude === null || longitude === null ? null : `${latitude}, ${longitude}`
}
