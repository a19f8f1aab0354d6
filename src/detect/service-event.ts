import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
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

export interface AccountEvent {
  readonly state: RecordState
  readonly event: EventDraft
}

/** An event about the account itself: it shows no record and no changes (contract section 4, service events). */
export function accountEvent({ account, state, type, extras, at, memory }: AccountEventInput): AccountEvent {
  const base = state ?? newAccount(account, at)
  const subject = { resource: base.resource, id: account, version: base.version + 1, previousEventId: base.lastEventId }
  const parts = [textField(extras, 'resource') ?? '']
  const event: EventDraft = {
    id: eventId({ account, resource: subject.resource, id: account, version: subject.version, type, parts }),
    type,
    account,
    subject,
    timestamp: at,
    observed: null,
    cause: 'change',
    object: null,
    before: null,
    changes: null,
    shipment: null,
    extras: { ...extras, at: formatInstant(at) },
  }
  const lastRead = { sentAt: at, answeredAt: at }
  const next = { version: subject.version, lastEventId: event.id, lastRead, memory: memory ?? base.memory }
  return { state: { ...base, ...next }, event }
}

function newAccount(account: string, at: number): RecordState {
  return {
    resource: 'account',
    id: account,
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
