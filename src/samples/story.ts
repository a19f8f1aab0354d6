import { detectChange } from '../detect/detect-change.ts'
import type { Detected } from '../detect/detect-input.ts'
import { snapshotOf } from '../detect/snapshot.ts'
import { detectRemoval } from '../detect/removal.ts'
import type { CalendarSettings } from '../detect/calendar/calendar-settings.ts'
import { deriveFate } from '../detect/purchase-order/order-fate.ts'
import { ringEdges } from '../detect/calendar/ring-edges.ts'
import type { EventDraft } from '../model/event.ts'
import { parseInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import { shipmentIdOf, summariseShipment } from '../model/shipment.ts'
import { SAMPLE_ACCOUNT, SAMPLE_PUBLIC_URL } from '../model/sample-account.ts'
import { SHIPMENT, SHIPMENT_ID } from './records.ts'

/** What a record goes through; `at` is an instant (ISO 8601). */
export type Step = { readonly at: string } & (
  | { readonly kind: 'learnt' | 'came' | 'read'; readonly record: JsonObject }
  | { readonly kind: 'went' | 'day' | 'shown' }
  | { readonly kind: 'joined'; readonly shipment: JsonObject; readonly because: string | null }
)

/** Told when somebody asks: nobody who has no template of their own needs one. */
export type Story = () => readonly Step[]

/** The baseline of its list shows it. */
export function learnt(at: string, record: JsonObject): Step {
  return { kind: 'learnt', at, record }
}

/** A later read shows it for the first time. */
export function came(at: string, record: JsonObject): Step {
  return { kind: 'came', at, record }
}

/** A read shows it, changed. */
export function read(at: string, record: JsonObject): Step {
  return { kind: 'read', at, record }
}

/** The step in which a record is proved to be gone. */
export function went(at: string): Step {
  return { kind: 'went', at }
}

/** A subscription that starts full is sent it. */
export function shown(at: string): Step {
  return { kind: 'shown', at }
}

/** The calendar looks at it. */
export function day(at: string): Step {
  return { kind: 'day', at }
}

/** What is derived of an order and the shipment as it is then; `because` is the event that moved it. */
export function joined(at: string, shipment: JsonObject, because: string | null = null): Step {
  return { kind: 'joined', at, shipment, because }
}

interface Told {
  readonly resource: RecordResource
  readonly id: string
  readonly steps: readonly Step[]
}

/** The events of all steps, in order, as polling makes them: by the same detection, with the same memory of the record. */
export function eventsOf({ resource, id, steps }: Told): readonly EventDraft[] {
  const events: EventDraft[] = []
  let state: RecordState | null = null
  for (const step of steps) {
    const detected = detect({ resource, id, state }, step)
    state = detected.state
    events.push(...detected.events)
  }
  return events
}

/** The list is read this often. */
const EVERY_MS = 120_000
const EXCHANGE_MS = 400
const DAY_MS = 86_400_000

interface Known {
  readonly resource: RecordResource
  readonly id: string
  readonly state: RecordState | null
}

function detect({ resource, id, state }: Known, step: Step): Detected {
  const at = instantOf(step)
  const facts = {
    account: SAMPLE_ACCOUNT,
    resource,
    id,
    calendar: calendarAt(at),
    ignore: [],
    absorbed: [],
    publicUrl: SAMPLE_PUBLIC_URL,
  }
  switch (step.kind) {
    case 'learnt':
    case 'came':
    case 'read': {
      const shipment = ownerOf(step.record)
      const mode = step.kind === 'learnt' ? 'silent' : 'ring'
      const absentAt = step.kind === 'learnt' ? null : readAt(at - EVERY_MS).sentAt
      const before = state && readAgain(state, at)
      return detectChange({ ...facts, before, after: step.record, read: readAt(at), mode, absentAt, shipment })
    }
    case 'went': {
      const before = readAgain(known(state), at)
      return detectRemoval({ ...facts, before, read: readAt(at), mode: 'ring', shipment: ownerOf(before.seen) })
    }
    case 'day': {
      const before = known(state)
      return ringEdges({ ...facts, state: before, firedAt: at, shipment: ownerOf(before.seen) })
    }
    case 'shown': {
      const subject = known(state)
      const of = { subscription: 'erp', run: 'sample' }
      const event = snapshotOf({ ...facts, of, state: subject, shipment: ownerOf(subject.seen), timeZone: 'UTC', at })
      return { state: subject, events: event === null ? [] : [event] }
    }
    case 'joined': {
      const order = known(state)
      const shipment = { id: SHIPMENT_ID, reported: step.shipment, removedAt: null }
      const movedBy = [{ shipmentId: SHIPMENT_ID, eventId: step.because, number: at }]
      const by = { account: SAMPLE_ACCOUNT, timeZone: 'UTC', firedAt: at, order, movedBy, isNew: false }
      return deriveFate({ ...by, shipments: new Map([[SHIPMENT_ID, shipment]]) })
    }
    default:
      return step satisfies never
  }
}

function instantOf({ at }: Step): number {
  const instant = parseInstant(at)
  if (instant === null) throw new RangeError(`${at} is no instant.`)
  return instant
}

function readAt(answeredAt: number): Read {
  return { sentAt: answeredAt - EXCHANGE_MS, answeredAt }
}

/** The read before this one showed the same as the last one that showed something new. */
function readAgain(state: RecordState, at: number): RecordState {
  return state.removedAt === null ? { ...state, lastRead: readAt(at - EVERY_MS) } : state
}

function known(state: RecordState | null): RecordState {
  if (state === null) throw new RangeError('What was never read neither goes nor has a calendar.')
  return state
}

function calendarAt(now: number): CalendarSettings {
  return { timeZone: 'UTC', dueSoonMs: [7 * DAY_MS, DAY_MS], milestoneGraceMs: DAY_MS, now }
}

function ownerOf(record: JsonObject | null) {
  const owner = record === null ? null : shipmentIdOf(record, null)
  return owner === SHIPMENT_ID ? summariseShipment(SHIPMENT_ID, SHIPMENT) : null
}
