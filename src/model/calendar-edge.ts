import { eventTypeInfo } from './event-catalogue.ts'
import type { EventDraft } from './event.ts'
import { field, textField, type JsonObject } from './json.ts'
import type { Provenance } from './provenance.ts'

/**
 * The edge of the calendar that an event rang for, null for other families: its rule and what tells it from the rule's other
 * edges, as in `data`; `time_zone` is the one whose days decided, null where that is not known.
 */
export function calendarEdge({ type, extras }: EventDraft, provenance: Provenance | null): JsonObject | null {
  if (eventTypeInfo(type)?.family !== 'calendar') return null
  const rule = [type.slice(type.indexOf('.') + 1), textField(extras, 'reason')].filter((part) => part !== null)
  const lateBy = field(extras, 'late_by')
  return {
    rule: rule.join('/'),
    due_date: textField(extras, 'due_date'),
    lead: textField(extras, 'lead'),
    milestone: textField(extras, 'milestone'),
    date: textField(extras, 'date'),
    time_zone: provenance?.timeZone ?? null,
    at: textField(extras, 'at'),
    late_by: typeof lateBy === 'number' ? lateBy : 0,
  }
}
