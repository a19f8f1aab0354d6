import { restOfData } from '../../model/event-data.ts'
import type { ClaimedDelivery, WaitingDelivery } from '../ports/delivery-port.ts'
import { keepTexts } from '../../model/event-texts.ts'
import { EventOfRow, TextsOfRow, type Documents, type EventRow } from '../events/event-rows.ts'

/** What a claim reads of a row. */
export interface ClaimedRow {
  readonly id: string
  readonly subscription: string
  readonly round: number
  readonly event: number
  readonly next_attempt_at: number
  readonly resumes_at: number | null
  readonly last_told: number | null
  /** The number of the row; null: it has none. */
  readonly position: number | null
  readonly series: string
  /** What the channel kept of earlier attempts; null: nothing; left out: it was not asked for. */
  readonly progress?: string | null
}

export interface WaitingRow
  extends
    Pick<EventRow, 'account' | 'cause' | 'resource' | 'stored_at' | 'subject_id'>,
    Omit<ClaimedRow, 'event' | 'resumes_at' | 'last_told' | 'position' | 'series' | 'progress'> {}

export function toWaiting({
  id,
  subscription,
  account,
  cause,
  resource,
  subject_id: subject,
  ...row
}: WaitingRow): WaitingDelivery {
  const { round: attempts, next_attempt_at: dueAt, stored_at: rangAt } = row
  return { id, subscription, attempts, dueAt, rangAt, event: { account, cause, subject: { resource, id: subject } } }
}

/** What all deliveries of one event share. */
export type ClaimedEvent = Pick<ClaimedDelivery, 'event' | 'rangAt'>

export function claimedEvent(row: EventRow, documents: Documents): ClaimedEvent {
  const event = new EventOfRow(row, documents)
  keepTexts(event, new TextsOfRow(documents.find(row.object_body), restOfData(row)))
  return { event, rangAt: row.stored_at }
}

export function claimedDelivery(row: ClaimedRow, { event, rangAt }: ClaimedEvent): ClaimedDelivery {
  return {
    id: row.id,
    subscription: row.subscription,
    attempts: row.round,
    dueAt: row.next_attempt_at,
    resumesAt: row.resumes_at,
    lastTold: row.last_told,
    place: row.position === null ? null : { series: row.series, position: row.position },
    progress: row.progress ?? null,
    rangAt,
    event,
  }
}
