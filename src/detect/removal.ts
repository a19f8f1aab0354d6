import { arrivalOf, isFresh, type Read, type RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { ShipmentSummary } from '../model/shipment.ts'
import { detectSettled } from './detect-change.ts'
import type { CalendarSettings } from './calendar/calendar-settings.ts'
import type { Detected } from './detect-input.ts'
import { draftEvents } from './draft-events.ts'
import { removedNews } from './standing.ts'
import { recordKind } from './restored-findings.ts'

export interface RemovalInput {
  readonly account: string
  readonly resource: RecordResource
  readonly before: RecordState
  /** JSON Pointers of what is no change. */
  readonly ignore: readonly string[]
  /** Paths whose first value in a record is silent (guarantee D8). */
  readonly absorbed: readonly string[]
  /** The read that proved that the record is gone. */
  readonly read: Read
  /** `silent`: no complete pass ever showed the record, so no event has reported it. */
  readonly mode: 'ring' | 'silent'
  readonly shipment: ShipmentSummary | null
  /** Where the admin interface is reached; null or left out: nowhere. */
  readonly publicUrl?: string | null
  /** By what the calendar judges the record; left out: the record has no calendar. */
  readonly calendar?: CalendarSettings
}

/**
 * A record is gone: its tombstone, and the event that shows it as it was last seen. It is not removed twice, nor where a
 * read showed it after the proof was asked for. Estimates that waited to ring do so first: they were seen to change.
 */
export function detectRemoval(input: RemovalInput): Detected {
  const { read, mode } = input
  const { lastShown, ...memory } = input.before.memory
  const before = { ...input.before, lastRead: lastShown ?? input.before.lastRead, memory }
  if (before.removedAt !== null || !isFresh(read, before.lastRead)) return { state: input.before, events: [] }
  const exceptions = removedNews(before, arrivalOf(read))
  if (mode === 'silent') return { ...bury({ ...input, before }), exceptions }
  const { state, events } = detectSettled({ ...input, before, now: arrivalOf(read), settleMs: 0 })
  const removed = bury({ ...input, before: state })
  return { ...removed, events: [...events, ...removed.events], exceptions }
}

function bury(input: RemovalInput): Detected {
  const { account, resource, before, read, mode, shipment, ignore, publicUrl = null } = input
  const { seen, version, lastEventId, memory } = before
  const after = seen ?? {}
  const kind = recordKind(resource, after)
  const rings = mode === 'ring' && seen !== null && kind !== null
  const findings = rings ? [{ type: `${kind}.removed`, about: { kind: 'record' }, extras: {} } as const] : []
  const shown = {
    account,
    resource,
    id: before.id,
    before,
    after,
    read,
    mode,
    absentAt: null,
    shipment,
    ignore,
    publicUrl,
    ...(input.calendar && { calendar: input.calendar }),
  }
  const { events, chain } = draftEvents(shown, findings, { version, lastEventId, memory })
  return { state: { ...before, ...chain, removedAt: arrivalOf(read), nextEdgeAt: null, lastRead: read }, events }
}
