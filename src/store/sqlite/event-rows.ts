import type { ShipbellEvent } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { plainColumns, textColumns } from '../common/event-row.ts'
import type { BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const ADD = new Query<{ ref: number }>(`
  INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp,
    stored_at, not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
  VALUES (:id, :account, :sequence, :type, :resource, :subjectId, :subjectVersion, :previousEventId, :timestamp,
    :storedAt, :notBefore, :notAfter, :cause, :sighting, :objectBody, :beforeBody, :shipment, :extras, :changes,
    :previous)
  RETURNING ref`)

/** What the events of a commit are written with: their documents, the row of their provenance, and when they ring. */
export interface EventContext {
  readonly storedAt: number
  readonly bodies: BodyWriter
  readonly sighting: number | null
}

/** Returns the `ref` of the new row. */
export function insertEvent(
  db: Connection,
  event: ShipbellEvent,
  { bodies, sighting, storedAt }: EventContext,
): number | undefined {
  const columns = {
    objectBody: bodies.save(event.object),
    beforeBody: bodies.save(event.before),
    ...textColumns(event),
  }
  bodies.uses.add([columns.objectBody, columns.beforeBody])
  return db.one(ADD, { ...plainColumns(event), ...columns, sighting, storedAt })?.ref
}

// Rows whose events were dropped are taken first (migration 0011); of those that are new, the `ref` is null here.
const ADD_PROVENANCE = new Query<{ ref: number }>(`
  INSERT INTO sightings (ref, told) VALUES ((SELECT min(ref) FROM sightings WHERE told = ''), ?)
  ON CONFLICT (ref) DO UPDATE SET told = excluded.told RETURNING ref`)
const PROVENANCE = new Query<{ told: string }>('SELECT told FROM sightings WHERE ref = ?')

/** Stores the provenance of a commit once, and only when an event needs it. */
export class ProvenanceWriter {
  readonly #db: Connection
  readonly #provenance: Provenance | undefined
  #ref: number | null = null

  constructor(db: Connection, provenance: Provenance | undefined) {
    this.#db = db
    this.#provenance = provenance
  }

  /** null where the commit says nothing of how it came to know. */
  ref(): number | null {
    if (this.#provenance !== undefined)
      this.#ref ??= this.#db.one(ADD_PROVENANCE, JSON.stringify(this.#provenance))?.ref ?? null
    return this.#ref
  }
}

export function loadProvenance(db: Connection, ref: number | null): Provenance | null {
  const row = ref === null ? undefined : db.one(PROVENANCE, ref)
  return row === undefined ? null : JSON.parse(row.told)
}
