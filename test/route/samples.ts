import type { EventType } from '../../src/model/event-catalogue.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { Filter } from '../../src/model/subscription.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { compileFilter } from '../../src/route/filter/compile-filter.ts'

export const T = Date.UTC(2026, 10, 21, 8)
export const HOUR = 3_600_000

export function event(id: string, type: EventType, changes: Partial<EventDraft> = {}): EventDraft {
  const subject = { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null } as const
  const rest = { timestamp: T, observed: null, cause: 'change', object: null, before: null, changes: null } as const
  return { id, type, account: 'acme', subject, ...rest, shipment: null, extras: {}, ...changes }
}

/** The filter that an expression compiles to; throws where it does not. */
export function filter(expression: string): Filter {
  const compiled = compileFilter(expression)
  if (compiled.kind === 'problem') throw new Error(`${compiled.offset}: ${compiled.message}`)
  return compiled.filter
}

/** A payload with this `data`. */
export function payload(data: JsonObject, changes: JsonObject = {}): JsonObject {
  return {
    id: 'evt_1',
    type: 'shipment.eta_changed',
    timestamp: '2026-11-21T08:00:00.000Z',
    account: 'acme',
    sequence: 12,
    subject: { resource: 'shipment', id: 'SHP-1', version: 3, previous_event_id: 'evt_0' },
    observed: { not_before: null, not_after: '2026-11-21T08:00:00.000Z' },
    cause: 'change',
    data,
    ...changes,
  }
}
