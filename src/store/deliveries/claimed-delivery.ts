import { restOfData } from '../../model/event-data.ts'
import type { ClaimedDelivery, WaitingDelivery } from '../ports/delivery-port.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import { EventOfRow, type Documents, type EventRow } from '../events/event-rows.ts'
import type { StoredBody } from '../documents/stored-body.ts'

/** What a claim reads of a row. */
export interface ClaimedRow {
  readonly id: string
  readonly subscription: string
  readonly round: number
  readonly event: number
  readonly next_attempt_at: number
  readonly resumes_at: number | null
  readonly last_told: number | null
  /** What the channel kept of earlier attempts; null: nothing; left out: it was not asked for. */
  readonly progress?: string | null
}

export interface WaitingRow
  extends
    Pick<EventRow, 'account' | 'cause' | 'resource' | 'stored_at'>,
    Omit<ClaimedRow, 'event' | 'resumes_at' | 'last_told' | 'progress'> {}

export function toWaiting({ id, subscription, account, cause, resource, ...row }: WaitingRow): WaitingDelivery {
  const { round: attempts, next_attempt_at: dueAt, stored_at: rangAt } = row
  return { id, subscription, attempts, dueAt, rangAt, event: { account, cause, subject: { resource } } }
}

/** What all deliveries of one event share. */
export interface ClaimedEvent extends Pick<ClaimedDelivery, 'event' | 'rangAt' | 'restJson'> {
  readonly object: Pick<StoredBody, 'json'> | null
}

export function claimedEvent(row: EventRow, documents: Documents): ClaimedEvent {
  return {
    rangAt: row.stored_at,
    event: new EventOfRow(row, documents),
    object: documents.find(row.object_body),
    restJson: restOfData(row),
  }
}

export function claimedDelivery(row: ClaimedRow, event: ClaimedEvent): ClaimedDelivery {
  return new DeliveryOfRow(row, event)
}

/** The bytes of the record are unpacked as each delivery is rendered, not by the claim: the first of many need not wait for the last. */
class DeliveryOfRow implements ClaimedDelivery {
  readonly id: string
  readonly subscription: string
  readonly attempts: number
  readonly dueAt: number
  readonly resumesAt: number | null
  readonly lastTold: number | null
  readonly progress: string | null
  readonly rangAt: number
  readonly event: ShipbellEvent
  readonly restJson: string | undefined
  readonly #object: ClaimedEvent['object']

  constructor(row: ClaimedRow, { event, object, rangAt, restJson }: ClaimedEvent) {
    this.id = row.id
    this.subscription = row.subscription
    this.attempts = row.round
    this.dueAt = row.next_attempt_at
    this.resumesAt = row.resumes_at
    this.lastTold = row.last_told
    this.progress = row.progress ?? null
    this.rangAt = rangAt
    this.event = event
    this.restJson = restJson
    this.#object = object
  }

  get objectJson(): Uint8Array | undefined {
    return this.#object?.json
  }
}
