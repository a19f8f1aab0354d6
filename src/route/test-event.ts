import type { RecordState } from '../model/record-state.ts'
import type { ServiceEvent } from '../model/service-event.ts'
import { endpointEvent } from './endpoint-event.ts'

const MESSAGE = 'A test of this endpoint. Nothing has happened at the platform.'

interface TestEventInput {
  /** The one that is tested. */
  readonly subscription: string
  /** The subscription's own record; null before its first event. */
  readonly state: RecordState | null
  readonly at: number
}

/** `shipbell.test`, the next event about a subscription. */
export function testEvent({ at, state, subscription }: TestEventInput): ServiceEvent {
  const extras = { subscription, message: MESSAGE }
  return endpointEvent({ subscription, state, type: 'shipbell.test', extras, at, cause: 'test' })
}
