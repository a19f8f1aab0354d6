import type { EventType } from '../model/event-catalogue.ts'
import { textField, type JsonObject } from '../model/json.ts'
import type { RecordMemory, RecordState } from '../model/record-state.ts'
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
  const parts = [textField(input.extras, 'resource') ?? '']
  return serviceEvent({ ...input, resource: 'account', id: input.account, parts })
}
