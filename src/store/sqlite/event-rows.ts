import { ShipbellError } from '../../errors.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { plainColumns, textColumns } from '../common/event-row.ts'
import type { BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

// Every event passes here. Values by their names, and RETURNING, which is a trigger, would cost as much as the row itself.
const ADD = `
  INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp,
    stored_at, not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

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
): number {
  const object = bodies.save(event.object)
  const before = bodies.save(event.before)
  bodies.uses.add(object, before)
  const { id, account, sequence, type, resource, subjectId, subjectVersion, previousEventId, ...plain } =
    plainColumns(event)
  const { timestamp, notBefore, notAfter, cause } = plain
  const { shipment, extras, changes, previous } = textColumns(event)
  const subject = [resource, subjectId, subjectVersion, previousEventId] as const
  const times = [timestamp, storedAt, notBefore, notAfter] as const
  const texts = [shipment, extras, changes, previous] as const
  const known = [cause, sighting, object, before] as const
  const ref = db.insert(ADD, id, account, sequence, type, ...subject, ...times, ...known, ...texts)
  if (ref === null) throw new ShipbellError('internal', `The event ${id} could not be stored.`)
  return ref
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
