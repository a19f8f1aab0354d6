import type { JsonObject } from '../../model/json.ts'
import type { CalendarMemory, RecordMemory, RecordState } from '../../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../../model/resource.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { Detected, DetectInput } from '../detect-input.ts'
import { draftEvents } from '../draft-events.ts'
import type { Finding } from '../claims.ts'
import type { Alarm, CalendarRules, Due } from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'
import { invoiceCalendar } from './invoice-calendar.ts'
import { shipmentCalendar } from './shipment-calendar.ts'

export interface RingInput {
  readonly account: string
  readonly resource: RecordResource
  readonly state: RecordState
  readonly calendar: CalendarSettings
  /** When the events fire: their `timestamp`. */
  readonly firedAt: number
  readonly shipment: ShipmentSummary | null
}

/** The edges of a record that have passed and should ring. */
export function dueAlarms(input: Pick<RingInput, 'resource' | 'state' | 'calendar'>): readonly Alarm[] {
  return lookAt(input.resource, input.state, input.calendar).due.alarms
}

/**
 * Rings every edge of a record that has passed and not had its turn. Pure: the same record and memory give the same ids at
 * whatever time, so that edges found again after a crash are the same events.
 */
export function ringEdges(input: RingInput): Detected {
  const { account, resource, state, calendar, firedAt, shipment } = input
  const { due, state: armed } = lookAt(resource, state, calendar)
  if (state.seen === null) return { state: { ...armed, nextEdgeAt: null }, events: [] }
  const read = { sentAt: firedAt, answeredAt: firedAt }
  const detection = { account, resource, id: state.id, before: state, after: state.seen, read } as const
  const { events, chain } = draftEvents(
    { ...detection, mode: 'ring', absentAt: null, ignore: [], shipment },
    due.alarms.map(({ finding }) => finding),
    armed,
  )
  const rung = { ...armed, ...chain }
  return { state: { ...rung, nextEdgeAt: nextEdgeAt(rung, calendar) }, events }
}

const NOTHING: Due = { alarms: [], superseded: [] }

/** What is due of a record, and the record with what the settings of today and the edges that are due leave silent. */
function lookAt(
  resource: RecordResource,
  state: RecordState,
  calendar: CalendarSettings,
): { readonly due: Due; readonly state: RecordState } {
  const rules = RESOURCE_CALENDARS[resource]
  if (rules === undefined || state.seen === null) return { due: NOTHING, state }
  const memory = { ...state.memory, calendar: rules.arm(stillness(state, state.seen, calendar)) }
  const due = rules.due({ record: state.seen, memory, calendar })
  const skipped = [...memory.calendar.skipped, ...due.superseded.map(({ key }) => key)]
  return { due, state: { ...state, memory: { ...memory, calendar: { ...memory.calendar, skipped } } } }
}

/** Only time and settings may have changed. */
function stillness(
  { memory, lastRead }: RecordState,
  record: NonNullable<RecordState['seen']>,
  calendar: CalendarSettings,
): Parameters<CalendarRules['arm']>[0] {
  return { before: record, after: record, reported: record, memory, silent: false, calendar, at: lastRead.answeredAt }
}

/** Records of other resources know no calendar. */
const RESOURCE_CALENDARS: Readonly<Partial<Record<SubjectResource, CalendarRules>>> = {
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
  // Edges that give way do so when the others ring; a clock set back before that makes them due.
  for (const { at } of rules.pending({ record: seen, memory, calendar })) if (first === null || at < first) first = at
  return first
}
