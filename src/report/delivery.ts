import type { Attempt, Delivery, DeliveryState } from '../model/delivery.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'

/** A row of the ledger, or one that is still to be made: that has no id and no state yet. */
export type WouldSend = Omit<Delivery, 'id' | 'state'> & {
  readonly id: string | null
  readonly state: DeliveryState | null
}

/** A row of the ledger as commands and the API give it (guarantee C6); one that is still to be made has no `id` and no `state`. */
export function deliveryJson(delivery: WouldSend): JsonObject {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.type,
    account: delivery.account,
    subscription: delivery.subscription,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt === null ? null : formatInstant(delivery.nextAttemptAt),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
  }
}

/** A row and its attempts, in the order they were made. */
export interface TracedDelivery {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

export function tracedDeliveryJson({ delivery, attempts }: TracedDelivery): JsonObject {
  return { ...deliveryJson(delivery), tried: attempts.map(attemptJson) }
}

function attemptJson({ at, durationMs, status, error, answer }: Attempt): JsonObject {
  return { at: formatInstant(at), duration_ms: durationMs, status, error, answer }
}
