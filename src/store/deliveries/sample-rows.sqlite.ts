import { ShipbellError } from '../../errors.ts'
import type { SampleDelivery } from '../ports/log-port.ts'
import { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { laneOf } from './delivery-names.ts'
import { DeliveryWriter } from './delivery-rows.sqlite.ts'
import { insertEvent } from '../events/event-rows.sqlite.ts'
import { EventTotals } from '../../ledger/events.ts'
import { saveTotals } from '../events/event-totals.sqlite.ts'
import { Query } from '../file/query.ts'

const LOWEST = new Query<{ sequence: number | null }>(`
  SELECT min(sequence) AS sequence FROM events INDEXED BY events_sequence WHERE ifnull(account, '') = ''`)

/**
 * `LogStore.addSample`, inside the caller's write transaction. Samples are numbered downwards from -1 among the events of no
 * account, so that no series moves; `toEvent` shows them as of the samples' account, without the sign.
 */
export function addSample(db: Connection, { at, event, subscription }: SampleDelivery): string {
  const { id, subject, type } = event
  const sequence = Math.min(db.one(LOWEST)?.sequence ?? 0, 0) - 1
  const bodies = new BodyWriter(db)
  const stored = { ...event, account: null, cause: 'test' } as const
  const ref = insertEvent(db, stored, { bodies, sequence, sighting: null, storedAt: at })
  const totals = new EventTotals()
  totals.add({ ref, account: null, type, resource: subject.resource, storedAt: at })
  saveTotals(db, totals)
  bodies.uses.settle(db)
  // A lane of its own: no event of the subject waits for it, nor it for any.
  const lane = laneOf({ account: null, subject: { resource: subject.resource, id } })
  const row = new DeliveryWriter(db).insert({ eventId: id, subscription }, { ref, dueAt: at, test: true, lane })
  if (row === null) throw new ShipbellError('internal', `The sample ${id} has a row of ${subscription} already.`)
  return row
}
