import type { PlainRowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'
import { dataTexts } from '../../model/event-data.ts'
import { keepTexts, type EventTexts } from '../../model/event-texts.ts'
import type { EventDraft, LoggedEvent, Observed, ShipbellEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { SAMPLE_ACCOUNT } from '../../model/sample-account.ts'
import type { StoredBody } from '../documents/stored-body.ts'
import { ShipbellError } from '../../errors.ts'
import { strayDelivery } from '../../ledger/events.ts'

/** A text of JSON, parsed when it is first asked for. */
export class KeptJson<T> {
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

export type EventRow = PlainRowOf<typeof TABLES.events>

/** What documents are read by; null for null. */
export interface Documents {
  find(ref: number | null): Pick<StoredBody, 'json' | 'value'> | null
  load(ref: number | null): JsonObject | null
}

export function plainColumns({ id, account, sequence, type, subject, timestamp, observed, cause }: ShipbellEvent) {
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

export function textColumns(event: EventDraft) {
  const { previous, ...texts } = dataTexts(event)
  return {
    ...texts,
    previous: (previous?.length ?? 0) > LONGEST_PREVIOUS ? null : previous,
  }
}

export function toLoggedEvent(row: EventRow, bodies: Documents): LoggedEvent {
  const event = Object.assign(toEvent(row, bodies), { expiredAt: row.expired_at })
  keepTexts(event, new TextsOfRow(bodies.find(row.object_body)))
  return event
}

/** The bytes of the record are unpacked as each event is rendered, not as it is read: the first of many need not wait for the last. */
export class TextsOfRow implements EventTexts {
  readonly restJson: string | undefined
  readonly #object: Pick<StoredBody, 'json'> | null

  constructor(object: Pick<StoredBody, 'json'> | null, restJson?: string) {
    this.#object = object
    this.restJson = restJson
  }

  get objectJson(): Uint8Array | undefined {
    return this.#object?.json
  }
}

/** Longer ones are left to the document that they are cut from: it is compressed, and kept anyhow. */
const LONGEST_PREVIOUS = 1_024

/** The documents are parsed when they are first asked for: most lists take their bytes or show none. */
export function toEvent(row: EventRow, bodies: Documents): ShipbellEvent {
  // They are read now: after the transaction they may have expired.
  for (const ref of [row.object_body, row.before_body]) bodies.find(ref)
  const [changes, shipment] = [
    new KeptJson<ShipbellEvent['changes']>(row.changes),
    new KeptJson<ShipbellEvent['shipment']>(row.shipment),
  ]
  const extras = new KeptJson<JsonObject>(row.extras)
  return {
    id: row.id,
    type: row.type,
    account: accountOf(row),
    sequence: Math.abs(row.sequence),
    subject: toSubject(row),
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

function toObserved({ not_before, not_after }: EventRow): Observed | null {
  return not_after === null ? null : { notBefore: not_before, notAfter: not_after }
}

function accountOf({ account, resource, sequence }: EventRow): string | null {
  return sequence < 0 && resource !== 'subscription' ? SAMPLE_ACCOUNT : account
}

function toSubject(row: EventRow): ShipbellEvent['subject'] {
  return {
    resource: row.resource,
    id: row.subject_id,
    version: row.subject_version,
    previousEventId: row.previous_event_id,
  }
}

/**
 * An event as a claim gives it: each part is made when it is asked for, and a webhook asks for few. Its documents are even read
 * later: while a row of the event is open, none expires. Its parts are those of its class: spread into another object they are lost.
 */
export class EventOfRow implements ShipbellEvent {
  readonly #row: EventRow
  readonly #documents: Documents
  #changes: KeptJson<ShipbellEvent['changes']> | null = null
  #shipment: KeptJson<ShipbellEvent['shipment']> | null = null
  #extras: KeptJson<ShipbellEvent['extras']> | null = null

  constructor(row: EventRow, documents: Documents) {
    this.#row = row
    this.#documents = documents
  }

  get id(): string {
    return this.#row.id
  }

  get type(): ShipbellEvent['type'] {
    return this.#row.type
  }

  get account(): string | null {
    return accountOf(this.#row)
  }

  get sequence(): number {
    return Math.abs(this.#row.sequence)
  }

  get subject(): ShipbellEvent['subject'] {
    return toSubject(this.#row)
  }

  get timestamp(): number {
    return this.#row.timestamp
  }

  get observed(): Observed | null {
    return toObserved(this.#row)
  }

  get cause(): ShipbellEvent['cause'] {
    return this.#row.cause
  }

  get object(): ShipbellEvent['object'] {
    return this.#documents.load(this.#row.object_body)
  }

  get before(): ShipbellEvent['before'] {
    return this.#documents.load(this.#row.before_body)
  }

  get changes(): ShipbellEvent['changes'] {
    this.#changes ??= new KeptJson(this.#row.changes)
    return this.#changes.value
  }

  get shipment(): ShipbellEvent['shipment'] {
    this.#shipment ??= new KeptJson(this.#row.shipment)
    return this.#shipment.value
  }

  get extras(): ShipbellEvent['extras'] {
    this.#extras ??= new KeptJson(this.#row.extras)
    return this.#extras.value
  }
}

/** Throws `internal` for a delivery of an event outside its batch. */
export function refuseStray(batch: Parameters<typeof strayDelivery>[0]): void {
  const stray = strayDelivery(batch)
  if (stray === undefined) return
  const sentence = `A delivery to ${stray.subscription} names ${stray.eventId}, which is not in its batch.`
  throw new ShipbellError('internal', sentence)
}
