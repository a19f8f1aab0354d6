import { eventId } from './event-id.ts'
import type { EventType } from './event-catalogue.ts'
import type { Cause, EventDraft } from './event.ts'
import { formatInstant } from './instant.ts'
import type { JsonObject } from './json.ts'
import { newRecordState, type RecordMemory, type RecordState } from './record-state.ts'

export interface ServiceEventInput {
  /** The account; null: the event is about none. */
  readonly account: string | null
  readonly resource: 'account' | 'subscription' | 'configuration'
  /** The name of what the event is about. */
  readonly id: string
  /** What is known of the subject; null before its first event. */
  readonly state: RecordState | null
  readonly type: Extract<EventType, `account.${string}` | `endpoint.${string}` | `shipbell.${string}`>
  /** What the type adds to `data`; `at` is added here. */
  readonly extras: JsonObject
  /** What distinguishes the event from another of its type and version. */
  readonly parts: readonly string[]
  readonly at: number
  /** `change` unless said. */
  readonly cause?: Cause
  /** What is remembered from now on; as before where it is left out. */
  readonly memory?: RecordMemory
}

export interface ServiceEvent {
  readonly state: RecordState
  readonly event: EventDraft
}

/** The next event of a subject that is no record: it shows no record and no changes (guarantee E8, service events). */
export function serviceEvent(input: ServiceEventInput): ServiceEvent {
  const { account, resource, id, type, at, memory, cause = 'change' } = input
  const lastRead = { sentAt: at, answeredAt: at }
  const base = input.state ?? newRecordState(input, { read: lastRead, atBaseline: false })
  const subject = { resource, id, version: base.version + 1, previousEventId: base.lastEventId }
  const event: EventDraft = {
    id: eventId({ account, resource, id, version: subject.version, type, parts: input.parts }),
    type,
    account,
    subject,
    timestamp: at,
    observed: null,
    cause,
    object: null,
    before: null,
    changes: null,
    shipment: null,
    extras: { ...input.extras, at: formatInstant(at) },
  }
  const next = { version: subject.version, lastEventId: event.id, lastRead, memory: memory ?? base.memory }
  return { state: { ...base, ...next }, event }
}
