import { hash } from 'node:crypto'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { deliveryId } from '../../model/delivery-id.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { turnOfNew } from '../../ledger/follow.ts'

const HEX_DIGITS = 12

/** What a lane is made of. */
interface Heading {
  readonly account: string | null
  readonly subject: { readonly resource: SubjectResource; readonly id: string }
}

/**
 * The number that stands for the account and subject of an event: a subscription with `order: subject` gets the events of
 * one lane in their order. Two subjects that share a number by chance take turns with each other, and nothing else happens.
 */
export function laneOf({ account, subject }: Heading): number {
  const name = JSON.stringify([account, subject.resource, subject.id])
  return Number.parseInt(hash('sha256', name).slice(0, HEX_DIGITS), 16)
}

/** The stored event that a row is made for. */
export interface RoutedEvent {
  readonly ref: number
  readonly dueAt: number
  readonly test: boolean
  /** `laneOf` the event. */
  readonly lane: number
}

/** What is written of a new row. */
export const NEW_DELIVERY = TABLES.deliveries.only(
  'id event subscription lane state next_attempt_at test last_told turn position',
)

/** The newest or the oldest number among the rows of an endpoint, null where none has one: one step into an index. `by` names that. */
export function outermostPosition(order: 'ASC' | 'DESC', by = ''): string {
  return `(
    SELECT position FROM deliveries ${by}
    WHERE deliveries.subscription = endpoints.subscription AND position IS NOT NULL ORDER BY position ${order} LIMIT 1)`
}

/** The endpoint of a new row. */
interface NewOf {
  readonly isOpen: boolean
  /** 1: events of one lane go in their order. Left out by a file, whose triggers give turns. */
  readonly ordered?: number
  /** The number of the row among those of its subscription; null: it has none. */
  readonly position: number | null
}

/**
 * A row, born due: `pending` without a `wake_at`, or `held` where the endpoint is not open (a test's is pending there too).
 */
export function newDelivery(
  draft: DeliveryDraft,
  event: RoutedEvent,
  { isOpen, ordered = 0, position }: NewOf,
): RowOf<typeof NEW_DELIVERY> {
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
    position,
  }
}
