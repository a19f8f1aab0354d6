import type { EventType } from '../model/event-catalogue.ts'
import type { Cause, EventDraft } from '../model/event.ts'
import { formatInstant } from '../model/instant.ts'
import { textField, type JsonObject } from '../model/json.ts'
import type { RecordMemory, RecordState } from '../model/record-state.ts'
import { eventId } from './event-id.ts'

export interface AccountEventInput {
  readonly account: string
  /** The account's own record; null before its first event. */
  readonly state: RecordState | null
  readonly type: Extract<EventType, `account.${string}`>
  /** What the type adds to `data`; `at` is added here. */
  readonly extras: JsonObject
  readonly at: number
  /** What the account's record remembers from now on; as before where it is left out. */
  readonly memory?: RecordMemory
}

export interface ServiceEvent {
  readonly state: RecordState
  readonly event: EventDraft
}

/** An event about the account itself: it shows no record and no changes (contract section 4, service events). */
export function accountEvent({ account, state, type, extras, at, memory }: AccountEventInput): ServiceEvent {
  const base = state ?? newSubject({ resource: 'account', id: account }, at)
  return serviceEvent({ account, base, type, extras, at, cause: 'change', memory: memory ?? base.memory })
}

export interface SubscriptionEventInput {
  readonly subscription: string
  /** The subscription's own record, which no account has (`NO_ACCOUNT`); null before its first event. */
  readonly state: RecordState | null
  readonly type: 'shipbell.test'
  readonly extras: JsonObject
  readonly at: number
  readonly cause: Cause
}

/** An event about a subscription: of no account, with a sequence series of its own (contract section 4, service events). */
export function subscriptionEvent({ subscription, state, ...rest }: SubscriptionEventInput): ServiceEvent {
  const base = state ?? newSubject({ resource: 'subscription', id: subscription }, rest.at)
  return serviceEvent({ account: null, base, memory: base.memory, ...rest })
}

interface ServiceEventInput {
  readonly account: string | null
  readonly base: RecordState
  readonly type: EventType
  readonly extras: JsonObject
  readonly at: number
  readonly cause: Cause
  readonly memory: RecordMemory
}

function serviceEvent({ account, base, type, extras, at, cause, memory }: ServiceEventInput): ServiceEvent {
  const { resource, id } = base
  const subject = { resource, id, version: base.version + 1, previousEventId: base.lastEventId }
  const parts = [textField(extras, 'resource') ?? '']
  const event: EventDraft = {
    id: eventId({ account, resource, id, version: subject.version, type, parts }),
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
    extras: { ...extras, at: formatInstant(at) },
  }
  const lastRead = { sentAt: at, answeredAt: at }
  return { state: { ...base, version: subject.version, lastEventId: event.id, lastRead, memory }, event }
}

function newSubject(subject: Pick<RecordState, 'resource' | 'id'>, at: number): RecordState {
  return {
    ...subject,
    seen: null,
    reported: null,
    version: 0,
    lastEventId: null,
    atBaseline: false,
    firstSeenAt: at,
    closedAt: null,
    removedAt: null,
    lastRead: { sentAt: at, answeredAt: at },
    nextEdgeAt: null,
    memory: {},
  }
}
