import { restOfData } from '../../model/event-data.ts'
import type { ClaimedDelivery, WaitingDelivery } from '../delivery-port.ts'
import { type Documents, type EventRow, toClaimedEvent } from './event-row.ts'
import type { StoredBody } from './stored-body.ts'

/** What a claim reads of a row. */
export interface ClaimedRow {
  readonly id: string
  readonly subscription: string
  readonly round: number
  readonly event: number
  readonly next_attempt_at: number
  readonly resumes_at: number | null
  readonly last_told: number | null
}

export interface WaitingRow
  extends
    Pick<EventRow, 'account' | 'cause' | 'resource' | 'stored_at'>,
    Omit<ClaimedRow, 'event' | 'resumes_at' | 'last_told'> {}

export function toWaiting({ id, subscription, account, cause, resource, ...row }: WaitingRow): WaitingDelivery {
  const { round: attempts, next_attempt_at: dueAt, stored_at: rangAt } = row
  return { id, subscription, attempts, dueAt, rangAt, event: { account, cause, subject: { resource } } }
}

/** What all deliveries of one event share. */
export interface ClaimedEvent extends Pick<ClaimedDelivery, 'event' | 'rangAt' | 'restJson'> {
  readonly object: Pick<StoredBody, 'json'> | null
}

export function claimedEvent(row: EventRow, documents: Documents): ClaimedEvent {
  const rest = restOfData(row)
  return {
    rangAt: row.stored_at,
    event: toClaimedEvent(row, documents),
    object: documents.find(row.object_body),
    ...(rest === undefined ? {} : { restJson: rest }),
  }
}

/** The bytes of the record are unpacked as each delivery is rendered, not by the claim: the first of many need not wait for the last. */
export function claimedDelivery(row: ClaimedRow, { object, ...event }: ClaimedEvent): ClaimedDelivery {
  const { id, subscription, round: attempts, next_attempt_at: dueAt, resumes_at: resumesAt, last_told: lastTold } = row
  if (object === null) return { id, subscription, attempts, dueAt, resumesAt, lastTold, ...event }
  return {
    id,
    subscription,
    attempts,
    dueAt,
    resumesAt,
    lastTold,
    ...event,
    get objectJson() {
      return object.json
    },
  }
}
