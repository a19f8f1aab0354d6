import { turnOfNew } from '../../ledger/follow.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { deliveryId } from './delivery-names.ts'

/** The stored event that a row is made for. */
export interface RoutedEvent {
  readonly ref: number
  readonly dueAt: number
  readonly test: boolean
  /** `laneOf` the event. */
  readonly lane: number
}

/** The endpoint of a new row. */
interface NewOf {
  readonly isOpen: boolean
  /** 1: events of one lane go in their order. Left out by a file, whose triggers give turns. */
  readonly ordered?: number
}

/**
 * A row, born due: `pending` without a `wake_at`, or `held` where the endpoint is not open (a test's is pending there too).
 */
export function newDelivery(draft: DeliveryDraft, event: RoutedEvent, { isOpen, ordered = 0 }: NewOf) {
  const { subscription, lastTold = null } = draft
  const isPending = event.test || isOpen
  return {
    id: deliveryId(draft, event.dueAt),
    event: event.ref,
    subscription,
    lane: event.lane,
    state: isPending ? 'pending' : 'held',
    nextAttemptAt: isPending ? event.dueAt : null,
    test: event.test ? 1 : 0,
    lastTold,
    turn: turnOfNew(ordered),
  }
}
