import { hash } from 'node:crypto'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { Connection } from './connection.ts'
import { isOpen, registerEndpoint } from './endpoint-gate.ts'

const ADD = `
  INSERT INTO deliveries (id, event, subscription, lane, state, next_attempt_at, test)
  VALUES (:id, :event, :subscription, :lane, :state, :nextAttemptAt, :test)
  ON CONFLICT (event, subscription) DO NOTHING`

/** The stored event that a row is made for. */
export interface RoutedEvent {
  readonly ref: number
  readonly dueAt: number
  readonly test: boolean
  /** `laneOf` the event. */
  readonly lane: number
}

/**
 * Makes a row, born due: `pending` without a `wake_at`, or `held` where the endpoint is not open (a test's is pending there
 * too). Returns its id, or null where the pair has one already.
 */
export function insertDelivery(db: Connection, draft: DeliveryDraft, event: RoutedEvent): string | null {
  const { subscription } = draft
  registerEndpoint(db, subscription)
  const pending = event.test || isOpen(db, subscription)
  const id = deliveryId(draft)
  const added = db.run(ADD, {
    id,
    event: event.ref,
    subscription,
    lane: event.lane,
    state: pending ? 'pending' : 'held',
    nextAttemptAt: pending ? event.dueAt : null,
    test: event.test ? 1 : 0,
  })
  return added === 0 ? null : id
}

/** The same on every store that holds the same event. */
function deliveryId({ eventId, subscription }: DeliveryDraft): string {
  return `dlv_${hash('sha256', `${eventId}\n${subscription}`).slice(0, 32)}`
}
