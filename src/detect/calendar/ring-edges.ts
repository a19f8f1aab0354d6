import type { RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { Detected } from '../detect-input.ts'
import { draftEvents } from '../draft-events.ts'
import type { Alarm, CalendarRules, Due } from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'
import { nextEdgeAt } from './next-edge-at.ts'
import { RESOURCE_CALENDARS } from './resource-calendars.ts'

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
