import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import { textField, type JsonObject } from '../model/json.ts'
import type { RecordMemory, RecordState } from '../model/record-state.ts'
import type { Watchable } from '../model/resource.ts'
import { serviceEvent, type ServiceEvent } from '../model/service-event.ts'

export interface AccountEventInput {
  readonly account: string
  /** The account's own record; null before its first event. */
  readonly state: RecordState | null
  readonly type: Extract<EventType, `account.${string}`>
  /** What the type adds to `data`; `at` is added there too. */
  readonly extras: JsonObject
  readonly at: number
  /** What the account's record remembers from now on; as before where it is left out. */
  readonly memory?: RecordMemory
}

/** An event about the account itself. */
export function accountEvent(input: AccountEventInput): ServiceEvent {
  // A store that is begun anew has a chain of its own: its events are not those of the one before.
  const parts = [textField(input.extras, 'resource') ?? '', input.state?.lastEventId ?? String(input.at)]
  return serviceEvent({ ...input, resource: 'account', id: input.account, parts })
}

interface RejectionsInput {
  readonly account: string
  /** The account's own record; null before its first event. */
  readonly state: RecordState | null
  readonly watch: Watchable
  /** What rings together; there is at least one. */
  readonly rejected: readonly RejectedRecords[]
  readonly at: number
}

/** Records that are rejected for one reason. */
interface RejectedRecords {
  readonly first: { readonly id: string | null; readonly reason: string }
  /** How many records are rejected for the reason. */
  readonly count: number
  /** Ids of some of the records. */
  readonly sample: readonly string[]
}

/** One `account.record_rejected` each: it names the first record, `more` counts the others, and `count` all. */
export function rejectionEvents(input: RejectionsInput): {
  readonly state: RecordState
  readonly events: readonly EventDraft[]
} {
  const { account, at, watch } = input
  const events: EventDraft[] = []
  let { state } = input
  for (const { first, count, sample } of input.rejected) {
    const extras = { resource: watch, ...first, more: count - 1, count, sample }
    const rung = accountEvent({ account, state, type: 'account.record_rejected', extras, at })
    state = rung.state
    events.push(rung.event)
  }
  if (state === null) throw new RangeError('Rejections without a record ring nothing.')
  return { state, events }
}
