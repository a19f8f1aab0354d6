import type { JsonObject } from '../../model/json.ts'
import type { RecordMemory } from '../../model/record-state.ts'
import type { DetectInput } from '../detect-input.ts'
import type { Finding } from '../finding.ts'
import { RESOURCE_CALENDARS } from './resource-calendars.ts'

/**
 * What a read means for the calendar: the memory with its edges armed anew, and the events of days that it shows crossed.
 * A record that comes back after its removal starts anew, and what was crossed meanwhile rings nothing (contract
 * section 3.6).
 */
export function turnCalendar(
  input: DetectInput & { readonly after: JsonObject; readonly reported: JsonObject; readonly firedAt: number },
  memory: RecordMemory,
): { readonly memory: RecordMemory; readonly findings: readonly Finding[] } {
  const { calendar, after, reported, mode, firedAt } = input
  const rules = RESOURCE_CALENDARS[input.resource]
  if (rules === undefined || calendar === undefined) return { memory, findings: [] }
  const returns = input.before !== null && input.before.removedAt !== null
  const before = returns ? null : (input.before?.seen ?? null)
  const turn = { before, after, reported, memory, silent: mode === 'silent', calendar, at: firedAt }
  const armed = { ...memory, calendar: rules.arm(turn) }
  const crossed = rules.cross({ ...turn, memory: armed })
  const findings = mode === 'silent' || returns ? [] : crossed.findings
  return { memory: { ...armed, calendar: crossed.memory }, findings }
}
