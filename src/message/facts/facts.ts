import { field, textField, type Json } from '../../model/json.ts'
import { changeFacts } from './change-facts.ts'
import { fact, type Fact, type MaybeFact } from './fact.ts'
import { invoiceFacts } from './invoice-facts.ts'
import { documentFacts, locationFacts, orderFacts, preparationFacts } from './record-facts.ts'
import { belongsFacts, shipmentFacts } from './shipment-facts.ts'
import { trackingFacts } from './tracking-facts.ts'

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
