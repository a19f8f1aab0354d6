import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import { endpointEvent } from './endpoint-event.ts'
import type { FilterFailure } from './route.ts'

export interface FilterFailures {
  readonly events: readonly EventDraft[]
  /** The subscriptions' records that changed. */
  readonly states: readonly RecordState[]
}

/**
 * One `endpoint.filter_failed` for every subscription whose `where` failed for the first time since it was configured so. `known`
 * are the subscriptions' own records.
 */
export function filterFailures(
  failures: readonly FilterFailure[],
  known: ReadonlyMap<string, RecordState>,
): FilterFailures {
  const states = new Map<string, RecordState>()
  const events: EventDraft[] = []
  for (const { subscription, expression, event, reason } of failures) {
    const state = states.get(subscription) ?? known.get(subscription) ?? null
    if (state?.memory.failedFilter === expression) continue
    const rung = endpointEvent({
      subscription,
      state,
      type: 'endpoint.filter_failed',
      extras: { where: expression, reason, event_id: event.id, event_type: event.type },
      at: event.timestamp,
      memory: { ...state?.memory, failedFilter: expression },
    })
    states.set(subscription, rung.state)
    events.push(rung.event)
  }
  return { events, states: [...states.values()] }
}
