import { ShipbellError } from '../../errors.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { textColumns } from './event-rows.ts'
import type { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

// Every event passes here. Values by their names or in lists that are spread, and RETURNING, which is a trigger, would cost as much
// as the row itself.
const ADD = `
  INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp,
    stored_at, not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`

/** What an event is written with: its place in the account's series, its documents, the row of its provenance, and when it rings. */
export interface EventContext {
  readonly sequence: number
  readonly storedAt: number
  readonly bodies: BodyWriter
  readonly sighting: number | null
}

/** Returns the `ref` of the new row. Throws `internal` where an event of this id is stored already. */
export function insertEvent(
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
const PROVENANCE = new Query<{ told: string }>('SELECT told FROM sightings WHERE ref = ?')

/** The `ref` of the row that says how a commit came to know of its events. */
export function saveProvenance(db: Connection, provenance: Provenance): number | null {
  return db.one(ADD_PROVENANCE, JSON.stringify(provenance))?.ref ?? null
}

export function loadProvenance(db: Connection, ref: number | null): Provenance | null {
  const row = ref === null ? undefined : db.one(PROVENANCE, ref)
  return row === undefined ? null : JSON.parse(row.told)
}
