import type { EndpointFacts, EndpointHealth, EndpointState } from '../model/endpoint.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import type { ServiceEvent } from '../model/service-event.ts'
import { nextNotice } from '../plan/endpoint-life.ts'
import { endpointEvent } from '../route/endpoint-event.ts'

const EVENT_OF = {
  ok: 'endpoint.recovered',
  failing: 'endpoint.failing',
  exhausted: 'endpoint.exhausted',
  disabled: 'endpoint.disabled',
} as const satisfies Record<EndpointState, string>

/** The event about an endpoint's new state; null where that state was reported. `before` is the subscription's own record. */
export function endpointNotice(before: RecordState | null, facts: EndpointFacts, now: number): ServiceEvent | null {
  const emitted = before?.memory.endpoint ?? null
  const state = nextNotice(emitted, facts, now)
  if (state === null) return null
  return endpointEvent({
    subscription: facts.subscription,
    state: before,
    type: EVENT_OF[state],
    extras: extrasOf(state, facts, emitted),
    at: now,
    memory: { ...before?.memory, endpoint: healthOf(state, { facts, emitted, now }) },
  })
}

interface Learnt {
  readonly facts: EndpointFacts
  readonly emitted: EndpointHealth | null
  readonly now: number
}

function healthOf(state: EndpointState, { facts, emitted, now }: Learnt): EndpointHealth {
  const recoveredAt = emitted?.recoveredAt ?? null
  if (state === 'ok') return { state, downSince: null, recoveredAt: now }
  return { state, downSince: emitted?.downSince ?? facts.failingSince ?? facts.disabled?.at ?? now, recoveredAt }
}

function extrasOf(state: EndpointState, facts: EndpointFacts, emitted: EndpointHealth | null): JsonObject {
  const { lastError, failuresInARow, failingSince, exhaustedSince, disabled, held } = facts
  switch (state) {
    case 'failing':
      return { reason: lastError, failures: failuresInARow, since: instant(failingSince) }
    case 'exhausted':
      return { reason: lastError, failures: failuresInARow, since: instant(exhaustedSince) }
    case 'disabled':
      return { reason: disabled?.reason ?? null, held, since: instant(disabled?.at ?? null) }
    case 'ok':
      return { was: emitted?.state ?? null, down_since: instant(emitted?.downSince ?? null) }
    default:
      return state satisfies never
  }
}

function instant(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
