import { invoiceKind } from '../model/invoice.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { DetectInput } from './detect-input.ts'
import type { Finding } from './claims.ts'
import { rememberNewActuals } from './shipment/shipment-rules.ts'

/** A removed record is back: one event shows it as it is now, and what changed meanwhile rings nothing more. */
export function restoredFindings(
  { resource, after }: DetectInput & { readonly after: JsonObject },
  before: RecordState,
): readonly Finding[] {
  const kind = recordKind(resource, after)
  if (kind === null) return []
  const readings = { before: before.reported ?? {}, after }
  return [
    {
      type: `${kind}.restored`,
      about: { kind: 'record' },
      extras: {},
      remember: (memory, eventId) => (kind === 'shipment' ? rememberNewActuals(memory, readings, eventId) : memory),
    },
  ]
}

/** What can be removed and restored: the first segment of those event types. */
type RecordKind = Exclude<RecordResource, 'tracking'> | 'credit_note'

/** The kind of a record; null for tracking, which comes and goes with its shipment and rings neither. */
export function recordKind(resource: RecordResource, record: JsonObject): RecordKind | null {
  if (resource === 'tracking') return null
  return resource === 'invoice' ? invoiceKind(record) : resource
}
