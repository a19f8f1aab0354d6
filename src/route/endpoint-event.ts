import type { Cause } from '../model/event.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordMemory, RecordState } from '../model/record-state.ts'
import { serviceEvent, type ServiceEvent } from '../model/service-event.ts'

export interface EndpointEventInput {
  readonly subscription: string
  /** The subscription's own record; null before its first event. */
  readonly state: RecordState | null
  readonly type: Extract<EventType, `endpoint.${string}` | 'shipbell.test'>
  /** What the type adds to `data`; `at` is added there too. */
  readonly extras: JsonObject
  readonly at: number
  /** `change` unless said. */
  readonly cause?: Cause
  /** What the subscription's record remembers from now on; as before where it is left out. */
  readonly memory?: RecordMemory
}

/**
 * An event about the endpoint of a subscription (guarantee E8, service events). A subscription's chain of events is a record of
 * no account. This makes the next link; whoever rings it commits it with the record before it, like any other.
 */
export function endpointEvent(input: EndpointEventInput): ServiceEvent {
  return serviceEvent({ ...input, account: null, resource: 'subscription', id: input.subscription, parts: [] })
}
