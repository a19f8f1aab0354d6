import type { JsonObject } from '../../model/json.ts'
import type { CalendarMemory, RecordMemory, RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { DetectInput } from '../detect-input.ts'
import type { Finding } from '../finding.ts'
import type { CalendarRules } from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'
import { invoiceCalendar } from './invoice-calendar.ts'
import { shipmentCalendar } from './shipment-calendar.ts'

/** Records of other resources know no calendar. */
export const RESOURCE_CALENDARS: Readonly<Partial<Record<SubjectResource, CalendarRules>>> = {
  invoice: invoiceCalendar,
  shipment: shipmentCalendar,
}

/**
 * What a read means for the calendar: the memory with its edges armed anew, and the events of days that it shows crossed.
 * A record that comes back after its removal starts anew, and what was crossed meanwhile rings nothing (guarantee
 * D6).
 */
export function turnCalendar(
  input: DetectInput & { readonly after: JsonObject; readonly firedAt: number },
  reported: JsonObject,
  memory: RecordMemory,
): { readonly memory: RecordMemory; readonly findings: readonly Finding[] } {
  const { calendar, after, mode, firedAt } = input
  const rules = RESOURCE_CALENDARS[input.resource]
  if (rules === undefined || calendar === undefined) return { memory, findings: [] }
  const returns = input.before !== null && input.before.removedAt !== null
  const before = returns ? null : (input.before?.seen ?? null)
  const turn = { before, after, reported, memory, silent: mode === 'silent', calendar, at: firedAt }
  const armed = withCalendar(memory, rules.arm(turn))
  const crossed = rules.cross(armed === memory ? turn : { ...turn, memory: armed })
  const findings = mode === 'silent' || returns ? [] : crossed.findings
  return { memory: withCalendar(armed, crossed.memory), findings }
}

function withCalendar(memory: RecordMemory, calendar: CalendarMemory): RecordMemory {
  return memory.calendar === calendar ? memory : { ...memory, calendar }
}

/** When the calendar has to look at a record next: a passed instant where an edge is due; null where none is in sight. */
export function nextEdgeAt(
  { resource, seen, memory }: Pick<RecordState, 'resource' | 'seen' | 'memory'>,
  calendar: CalendarSettings,
): number | null {
  const rules = RESOURCE_CALENDARS[resource]
  if (rules === undefined || seen === null) return null
  let first: number | null = null
  // Those that give way do so when the others ring; a clock set back before that makes them due.
  for (const { at } of rules.pending({ record: seen, memory, calendar })) if (first === null || at < first) first = at
  return first
}
