import type { EventType } from '../../model/event-catalogue.ts'
import { dataTexts } from '../../model/event-data.ts'
import type { Cause, EventDraft, LoggedEvent, Observed, ShipbellEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { SAMPLE_ACCOUNT } from '../../model/sample-account.ts'
import type { KeptEvent } from '../log-query-port.ts'
import type { BodyReader, BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

export interface EventRow {
  readonly ref: number
  readonly id: string
  readonly account: string | null
  /** Below zero: a sample's. */
  readonly sequence: number
  readonly type: EventType
  readonly resource: SubjectResource
  readonly stored_at: number
  readonly subject_id: string
  readonly subject_version: number
  readonly previous_event_id: string | null
  readonly timestamp: number
  readonly not_before: number | null
  readonly not_after: number | null
  readonly cause: Cause
  readonly sighting: number | null
  readonly expired_at: number | null
  readonly object_body: number | null
  readonly before_body: number | null
  readonly shipment: string | null
  readonly extras: string
  readonly changes: string | null
  /** null also where it is cut from the document before. */
  readonly previous: string | null
}

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
  const columns = jsonColumns(event, bodies)
  bodies.uses.add([columns.objectBody, columns.beforeBody])
  return db.one(ADD, { ...plainColumns(event), ...columns, sighting, storedAt })?.ref
}

function plainColumns({ id, account, sequence, type, subject, timestamp, observed, cause }: ShipbellEvent) {
  return {
    id,
    account,
    sequence,
    type,
    resource: subject.resource,
    subjectId: subject.id,
    subjectVersion: subject.version,
    previousEventId: subject.previousEventId,
    timestamp,
    notBefore: observed?.notBefore ?? null,
    notAfter: observed?.notAfter ?? null,
    cause,
  }
}

function jsonColumns(event: EventDraft, bodies: BodyWriter) {
  const { previous, ...texts } = dataTexts(event)
  return {
    objectBody: bodies.save(event.object),
    beforeBody: bodies.save(event.before),
    ...texts,
    previous: (previous?.length ?? 0) > LONGEST_PREVIOUS ? null : previous,
  }
}

export function toLoggedEvent(row: EventRow, bodies: BodyReader): LoggedEvent {
  return Object.assign(toEvent(row, bodies), { expiredAt: row.expired_at })
}

export function toKeptEvent(row: EventRow, bodies: BodyReader): KeptEvent {
  const object = bodies.find(row.object_body)
  return {
    event: toLoggedEvent(row, bodies),
    get objectJson() {
      return object?.json ?? null
    },
  }
}

/** Longer ones are left to the document that they are cut from: it is compressed, and kept anyhow. */
const LONGEST_PREVIOUS = 1_024

/** The documents are parsed when they are first asked for: most lists take their bytes or show none. */
export function toEvent(row: EventRow, bodies: BodyReader): ShipbellEvent {
  // They are read now: after the transaction they may have expired.
  for (const ref of [row.object_body, row.before_body]) bodies.find(ref)
  return toClaimedEvent(row, bodies)
}

/** As `toEvent`. The documents are even read later: while a row of the event is open, none expires. */
export function toClaimedEvent(row: EventRow, bodies: BodyReader): ShipbellEvent {
  const [changes, shipment] = [
    new KeptJson<ShipbellEvent['changes']>(row.changes),
    new KeptJson<ShipbellEvent['shipment']>(row.shipment),
  ]
  const extras = new KeptJson<JsonObject>(row.extras)
  return {
    id: row.id,
    type: row.type,
    account: row.sequence < 0 && row.resource !== 'subscription' ? SAMPLE_ACCOUNT : row.account,
    sequence: Math.abs(row.sequence),
    subject: {
      resource: row.resource,
      id: row.subject_id,
      version: row.subject_version,
      previousEventId: row.previous_event_id,
    },
    timestamp: row.timestamp,
    observed: toObserved(row),
    cause: row.cause,
    get object() {
      return bodies.load(row.object_body)
    },
    get before() {
      return bodies.load(row.before_body)
    },
    get changes() {
      return changes.value
    },
    get shipment() {
      return shipment.value
    },
    get extras() {
      return extras.value
    },
  }
}

/** Parsed when it is first asked for. */
class KeptJson<T> {
  readonly #json: string
  #value: T | undefined

  constructor(json: string | null) {
    this.#json = json ?? 'null'
  }

  get value(): T {
    const value: T = this.#value ?? JSON.parse(this.#json)
    this.#value = value
    return value
  }
}

function toObserved({ not_before, not_after }: EventRow): Observed | null {
  return not_after === null ? null : { notBefore: not_before, notAfter: not_after }
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
