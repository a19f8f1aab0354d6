import { TABLES } from '../tables/tables.ts'
import { ShipbellError } from '../../errors.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { refuseStray, textColumns } from './event-rows.ts'
import { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import {
  addressedSeries,
  EventTotals,
  type FreshEvent,
  freshEvents,
  numberEvents,
  seriesOf,
} from '../../ledger/events.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { registerAccount } from '../accounts/accounts.sqlite.ts'
import { laneOf, type RoutedEvent } from '../deliveries/new-delivery.ts'
import { DeliveryWriter } from '../deliveries/delivery-rows.sqlite.ts'
import { saveToldDates } from '../records/date-rows.sqlite.ts'
import { saveTotals } from './event-totals.sqlite.ts'
import type { SampleDelivery } from '../ports/log-port.ts'

// Every event passes here. Values by their names or in lists that are spread, and RETURNING, which is a trigger, would cost as much
// as the row itself.
const ADD = `${TABLES.events.without('ref', 'expired_at').insert} ON CONFLICT (id) DO NOTHING`

/** What an event is written with: its place in the account's series, its documents, the row of its provenance, and when it rings. */
interface EventContext {
  readonly sequence: number
  readonly storedAt: number
  readonly bodies: BodyWriter
  readonly sighting: number | null
}

/** Returns the `ref` of the new row. Throws `internal` where an event of this id is stored already. */
function insertEvent(
  db: Connection,
  event: EventDraft,
  { bodies, sequence, sighting, storedAt }: EventContext,
): number {
  const { account, cause, id, observed, subject, timestamp, type } = event
  const object = bodies.save(event.object, event.before)
  const before = bodies.save(event.before)
  const { shipment, extras, changes, previous } = textColumns(event)
  const ref = db.insert(
    ADD,
    id,
    account,
    sequence,
    type,
    subject.resource,
    subject.id,
    subject.version,
    subject.previousEventId,
    timestamp,
    storedAt,
    observed?.notBefore ?? null,
    observed?.notAfter ?? null,
    cause,
    sighting,
    object,
    before,
    shipment,
    extras,
    changes,
    previous,
  )
  if (ref === null) throw new ShipbellError('internal', `The event ${id} is stored already.`)
  bodies.uses.add(object, before)
  return ref
}

// Rows whose events were dropped are taken first (migration 0011); of those that are new, the `ref` is null here.
const ADD_PROVENANCE = new Query<{ ref: number }>(`
  INSERT INTO sightings (ref, told) VALUES ((SELECT min(ref) FROM sightings WHERE told = ''), ?)
  ON CONFLICT (ref) DO UPDATE SET told = excluded.told RETURNING ref`)

/** The `ref` of the row that says how a commit came to know of its events. */
function saveProvenance(db: Connection, provenance: Provenance): number | null {
  return db.one(ADD_PROVENANCE, JSON.stringify(provenance))?.ref ?? null
}

// One statement for a page, by an index of hashes: each look by itself would cost three times as much.
const STORED = new Query<{ id: string }>(
  'SELECT events.id FROM json_each(?) AS wanted CROSS JOIN events ON events.id = wanted.value',
)
const LAST_SEQUENCE = new Query<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = ?',
)
const MOVE_SEQUENCE = 'UPDATE accounts SET last_sequence = ? WHERE account = ?'

interface Appended {
  readonly events: readonly EventDraft[]
  readonly deliveries: readonly DeliveryDraft[]
  readonly bodies: BodyWriter
  readonly provenance?: Provenance | undefined
  /** When they ring; undefined: each at its `timestamp`. */
  readonly storedAt?: number | undefined
}

/** Some milliseconds: how many deliveries are written in one go. */
export const ROWS_OF_A_TURN = 100

/**
 * Stores events in the order given, each with the next `sequence` of its account, and their deliveries, in steps. Events that are
 * already stored are left out with their deliveries. Returns those that are new. Runs inside the caller's write transaction, which
 * holds the log and all accounts, because SQLite has one writer at a time.
 */
export function* appendEvents(db: Connection, batch: Appended): Generator<undefined, readonly FreshEvent[]> {
  const { bodies, deliveries, events, provenance } = batch
  refuseStray(batch)
  if (events.length === 0) return []
  const stored = db.all(STORED, JSON.stringify(events.map(({ id }) => id)))
  const fresh = freshEvents(batch, new Set(stored.map(({ id }) => id)))
  if (fresh.length === 0) return fresh
  const numbered = numberEvents(fresh, lastSequences(db, fresh), lowestSequences(db, fresh))
  const sighting = provenance === undefined ? null : saveProvenance(db, provenance)
  const heard = new Set(deliveries.map(({ eventId }) => eventId))
  const routed = new Map<string, RoutedEvent>()
  const totals = new EventTotals()
  for (const { event, sequence, storedAt } of numbered.events) {
    const { account, cause, id, subject, type } = event
    const ref = insertEvent(db, event, { bodies, sequence, sighting, storedAt })
    totals.add({ ref, account, cause, type, resource: subject.resource, storedAt })
    if (heard.has(id)) routed.set(id, { ref, dueAt: storedAt, test: cause === 'test', lane: laneOf(event) })
  }
  for (const [series, sequence] of numbered.last) db.run(MOVE_SEQUENCE, sequence, series)
  saveToldDates(db, fresh)
  saveTotals(db, totals)
  const rows = new DeliveryWriter(db)
  for (const [index, draft] of deliveries.entries()) {
    const event = routed.get(draft.eventId)
    if (event !== undefined) rows.insert(draft, event)
    if (index % ROWS_OF_A_TURN === ROWS_OF_A_TURN - 1) yield
  }
  return fresh
}

function lastSequences(db: Connection, fresh: readonly FreshEvent[]): ReadonlyMap<string, number> {
  const series = new Set(fresh.map(({ event }) => seriesOf(event)))
  return new Map(
    [...series].map((account) => {
      registerAccount(db, account)
      return [account, db.one(LAST_SEQUENCE, account)?.sequence ?? 0]
    }),
  )
}

const LOWEST = new Query<{ sequence: number | null }>(`
  SELECT min(sequence) AS sequence FROM events INDEXED BY events_sequence WHERE ifnull(account, '') = ?`)

/** The lowest `sequence` of each series that has addressed events among these. */
function lowestSequences(db: Connection, fresh: readonly FreshEvent[]): ReadonlyMap<string, number> {
  return new Map([...addressedSeries(fresh)].map((series) => [series, db.one(LOWEST, series)?.sequence ?? 0]))
}

/**
 * `LogStore.addSample`, inside the caller's write transaction. Samples are numbered downwards from -1 among the events of no
 * account, so that no series moves; `toEvent` shows them as of the samples' account, without the sign.
 */
export function addSample(db: Connection, { at, event, subscription }: SampleDelivery): string {
  const { id, subject, type } = event
  const sequence = Math.min(db.one(LOWEST, NO_ACCOUNT)?.sequence ?? 0, 0) - 1
  const bodies = new BodyWriter(db)
  const stored = { ...event, account: null, cause: 'test' } as const
  const ref = insertEvent(db, stored, { bodies, sequence, sighting: null, storedAt: at })
  const totals = new EventTotals()
  totals.add({ ref, account: null, cause: 'test', type, resource: subject.resource, storedAt: at })
  saveTotals(db, totals)
  bodies.uses.settle(db)
  // A lane of its own: no event of the subject waits for it, nor it for any.
  const lane = laneOf({ account: null, subject: { resource: subject.resource, id } })
  const row = new DeliveryWriter(db).insert({ eventId: id, subscription }, { ref, dueAt: at, test: true, lane })
  if (row === null) throw new ShipbellError('internal', `The sample ${id} has a row of ${subscription} already.`)
  return row
}
