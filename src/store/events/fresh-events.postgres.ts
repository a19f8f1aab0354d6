import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { EventDraft } from '../../model/event.ts'
import { subjectKey } from '../records/record-rows.ts'
import type { ReadBatch } from '../ports/commit-port.ts'
import type { DocumentWriter } from '../documents/documents.postgres.ts'
import type { NewEvent } from './append-events.postgres.ts'
import type { Look } from '../server/together.ts'

const STORED = 'SELECT id FROM events WHERE id = ANY(:ids::text[])'

/** An event of a batch, and when it rings. */
export interface FreshEvent {
  readonly event: EventDraft
  readonly storedAt: number
}

/** The events of a batch that are stored already. Their accounts are held. */
export function storedEvents({ events }: ReadBatch): Look<{ id: string }> | null {
  return events.length === 0 ? null : { sql: STORED, values: { ids: events.map(({ id }) => id) } }
}

/** The others, in the order given. Throws `internal` for a delivery of an event outside the batch. */
export function freshEvents(batch: ReadBatch, stored: readonly { readonly id: string }[]): readonly FreshEvent[] {
  const drafts = new Map<string, EventDraft>()
  for (const event of batch.events) if (!drafts.has(event.id)) drafts.set(event.id, event)
  for (const { eventId, subscription } of batch.deliveries) {
    if (drafts.has(eventId)) continue
    const sentence = `A delivery to ${subscription} names ${eventId}, which is not in its batch.`
    throw new ShipbellError('internal', sentence)
  }
  for (const { id } of stored) drafts.delete(id)
  return [...drafts.values()].map((event) => ({ event, storedAt: batch.storedAt ?? event.timestamp }))
}

/** When each subject rang last, by `subjectKey`. */
export function rangAt(events: readonly FreshEvent[]): ReadonlyMap<string, number> {
  return new Map(events.map(({ event, storedAt }) => [subjectKey(event.subject), storedAt]))
}

/** Gives each event the next `sequence` of its account, and points it at its documents. */
export function numberEvents(
  fresh: readonly FreshEvent[],
  last: ReadonlyMap<string, number>,
  documents: DocumentWriter,
): { readonly events: readonly NewEvent[]; readonly sequences: ReadonlyMap<string, number> } {
  const sequences = new Map<string, number>()
  const events = fresh.map(({ event, storedAt }) => {
    const series = event.account ?? NO_ACCOUNT
    const sequence = (sequences.get(series) ?? last.get(series) ?? 0) + 1
    sequences.set(series, sequence)
    const [object, before] = [documents.slotOf(event.object, event.before), documents.slotOf(event.before)]
    documents.point([object, before], 1)
    return { event: { ...event, sequence }, storedAt, object, before }
  })
  return { events, sequences }
}
