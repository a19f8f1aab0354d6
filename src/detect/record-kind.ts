import { invoiceKind } from '../model/invoice.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'

/** What can be removed and restored: the first segment of those event types. */
export type RecordKind = Exclude<RecordResource, 'tracking'> | 'credit_note'

/** null for tracking, which comes and goes with its shipment and rings neither. */
export function recordKind(resource: RecordResource, record: JsonObject): RecordKind | null {
  if (resource === 'tracking') return null
  return resource === 'invoice' ? invoiceKind(record) : resource
}
