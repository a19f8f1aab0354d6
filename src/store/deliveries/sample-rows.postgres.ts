import type { SampleDelivery } from '../ports/log-port.ts'
import { deliveryId, laneOf } from './delivery-names.ts'
import type { Database, Transaction } from '../server/database.ts'
import { DocumentWriter } from '../documents/documents.postgres.ts'
import { lockLog, storeEvents } from '../events/event-rows.postgres.ts'
import { Query } from '../server/query.ts'

const LOWEST = new Query<{ sequence: number }>(`
  SELECT sequence FROM events WHERE coalesce(account, '') = '' ORDER BY sequence LIMIT 1`)

/**
 * `LogStore.addSample`, inside the caller's write transaction. Samples are numbered downwards from -1 among the events of no
 * account, so that no series moves; `toEvent` shows them as of the samples' account, without the sign.
 */
export async function addSample(
  db: Database,
  tx: Transaction,
  { at, event, subscription }: SampleDelivery,
): Promise<string> {
  const documents = new DocumentWriter(db)
  const [object, before] = [documents.slotOf(event.object), documents.slotOf(event.before)]
  documents.uses.add(object, before)
  await documents.store(tx)
  await lockLog(tx)
  const sequence = Math.min((await tx.one(LOWEST))?.sequence ?? 0, 0) - 1
  const stored = { ...event, account: null, sequence, cause: 'test' } as const
  // A lane of its own: no event of the subject waits for it, nor it for any.
  const lane = laneOf({ account: null, subject: { resource: event.subject.resource, id: event.id } })
  const draft = { eventId: event.id, subscription }
  const events = [{ event: stored, storedAt: at, object, before, lane }]
  await storeEvents(tx, { events, deliveries: [draft], sequences: new Map() }, documents)
  return deliveryId(draft, at)
}
