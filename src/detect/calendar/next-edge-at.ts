import type { RecordState } from '../../model/record-state.ts'
import type { CalendarSettings } from './calendar-settings.ts'
import { RESOURCE_CALENDARS } from './resource-calendars.ts'

/** When the calendar has to look at a record next: a passed instant where an edge is due; null where none is in sight. */
export function nextEdgeAt(
  { resource, seen, memory }: Pick<RecordState, 'resource' | 'seen' | 'memory'>,
  calendar: CalendarSettings,
): number | null {
  const rules = RESOURCE_CALENDARS[resource]
  if (rules === undefined || seen === null) return null
  const standing = { record: seen, memory, calendar }
  const { alarms, superseded } = rules.due(standing)
  // Those that give way do so when the others ring; a clock set back before that makes them due.
  const edges = [...superseded, ...alarms, ...rules.coming(standing)]
  return edges.reduce<number | null>((first, { at }) => (first === null ? at : Math.min(first, at)), null)
}
