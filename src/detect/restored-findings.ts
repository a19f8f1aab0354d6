import type { RecordState } from '../model/record-state.ts'
import type { DetectInput } from './detect-input.ts'
import type { Finding } from './finding.ts'
import { recordKind } from './record-kind.ts'
import { rememberNewActuals } from './shipment/milestone-memory.ts'
import type { JsonObject } from '../model/json.ts'

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
