import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { EventDraft } from '../../model/event.ts'
import { subjectKey } from '../common/record-row.ts'
import type { ReadBatch } from '../commit-port.ts'
import type { Transaction } from './database.ts'
import type { DocumentWriter } from './documents.ts'
import { Query } from './query.ts'
import type { NewEvent } from './store-events.ts'

const STORED = new Query<{ id: string }>('SELECT id FROM events WHERE id = ANY(:ids::text[])')

/** An event of a batch, and when it rings. */
export interface FreshEvent {
  readonly event: EventDraft
  readonly storedAt: number
}

/** The events of a batch that are not stored yet, in the order given. Their accounts are held. */
export async function freshEvents(tx: Transaction, batch: ReadBatch): Promise<readonly FreshEvent[]> {
  const drafts = new Map<string, EventDraft>()
  for (const event of batch.events) if (!drafts.has(event.id)) drafts.set(event.id, event)
  for (const { eventId, subscription } of batch.deliveries) {
    if (drafts.has(eventId)) continue
    const sentence = `A delivery to ${subscription} names ${eventId}, which is not in its batch.`
    throw new ShipbellError('internal', sentence)
  }
  const ids = [...drafts.keys()]
  const stored = ids.length === 0 ? [] : await tx.all(STORED, { ids })
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
    const [object, before] = [documents.slotOf(event.object), documents.slotOf(event.before)]
    documents.point([object, before], 1)
    return { event: { ...event, sequence }, storedAt, object, before }
  })
  return { events, sequences }
}
