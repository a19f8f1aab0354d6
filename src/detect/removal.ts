import type { Read, RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { ShipmentSummary } from '../model/shipment.ts'
import type { Detected } from './detect-input.ts'
import { draftEvents } from './draft-events.ts'
import { isFresh } from './read-order.ts'
import { recordKind } from './record-kind.ts'

export interface RemovalInput {
  readonly account: string
  readonly resource: RecordResource
  readonly before: RecordState
  /** The read that proved that the record is gone. */
  readonly read: Read
  /** `silent`: no complete pass ever showed the record, so nobody was told of it. */
  readonly mode: 'ring' | 'silent'
  readonly shipment: ShipmentSummary | null
}

/**
 * A record is gone: its tombstone, and the event that shows it as it was last seen. It is not removed twice, nor where it
 * was read after the proof was asked for.
 */
export function detectRemoval(input: RemovalInput): Detected {
  const { account, resource, before, read, mode, shipment } = input
  const { seen, version, lastEventId, memory } = before
  if (before.removedAt !== null || !isFresh(read, before.lastRead)) return { state: before, events: [] }
  const after = seen ?? {}
  const kind = recordKind(resource, after)
  const rings = mode === 'ring' && seen !== null && kind !== null
  const findings = rings ? [{ type: `${kind}.removed`, about: { kind: 'record' }, extras: {} } as const] : []
  const shown = { account, resource, id: before.id, before, after, read, mode, absentAt: null, shipment, ignore: [] }
  const { events, chain } = draftEvents(shown, findings, { version, lastEventId, memory })
  return { state: { ...before, ...chain, removedAt: read.answeredAt, nextEdgeAt: null, lastRead: read }, events }
}
