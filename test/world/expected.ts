import type { AnyFacts } from './facts.ts'
import { expectedOfDocument, expectedOfLocation, expectedOfOrder, expectedOfPreparation } from './expected-papers.ts'
import { expectedOfInvoice } from './expected-invoice.ts'
import { expectedOfShipment } from './expected-shipment.ts'
import { expectedOfTracking } from './expected-tracking.ts'

/** What the first read of a record rings, once the list has its baseline. */
export function created(facts: AnyFacts): readonly string[] {
  if ('tracking_steps' in facts) return expectedOfTracking(null, facts)
  return [kindOf(facts) === 'document' ? 'document.added' : `${kindOf(facts)}.created`]
}

/** What two successive reads of one record ring. */
export function differences(before: AnyFacts, after: AnyFacts, dueRang: Set<string>): readonly string[] {
  if ('tracking_steps' in before && 'tracking_steps' in after) return expectedOfTracking(before, after)
  if ('cargo' in before && 'cargo' in after) return expectedOfShipment(before, after)
  if ('lines' in before && 'lines' in after) return expectedOfInvoice(before, after, dueRang)
  if ('po_number' in before && 'po_number' in after) return expectedOfOrder(before, after)
  if ('contacts' in before && 'contacts' in after) return expectedOfLocation(before, after)
  if ('size' in before && 'size' in after) return expectedOfDocument(before, after)
  if ('picking_references' in before && 'picking_references' in after) return expectedOfPreparation(before, after)
  throw new Error('a record became one of another resource')
}

/** How event types begin. */
export function kindOf(facts: AnyFacts): string {
  if ('tracking_steps' in facts) return 'tracking'
  if ('cargo' in facts) return 'shipment'
  if ('lines' in facts) return facts.type
  if ('po_number' in facts) return 'purchase_order'
  if ('picking_references' in facts) return 'order_preparation'
  return 'contacts' in facts ? 'location' : 'document'
}
