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

export type EventRow = PlainRowOf<typeof TABLES.events>

/** What documents are read by; null for null. */
export interface Documents {
  find(ref: number | null): Pick<StoredBody, 'json' | 'value'> | null
  load(ref: number | null): JsonObject | null
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
  const event = new EventOfRow(row, bodies)
  return {
    id: event.id,
    type: event.type,
    account: event.account,
    sequence: event.sequence,
    subject: event.subject,
    timestamp: event.timestamp,
    observed: event.observed,
    cause: event.cause,
    get object() {
      return event.object
    },
    get before() {
      return event.before
    },
    get changes() {
      return event.changes
    },
    get shipment() {
      return event.shipment
    },
    get extras() {
      return event.extras
    },
  }
}

/**
 * An event as a claim gives it: each part is made when it is asked for, and a webhook asks for few. Its documents are even read
 * later: while a row of the event is open, none expires. Its parts are those of its class: spread into another object they are lost.
 */
export class EventOfRow implements ShipbellEvent {
  readonly #row: EventRow
  readonly #documents: Documents
  #changes: ShipbellEvent['changes'] | undefined
  #shipment: ShipbellEvent['shipment'] | undefined
  #extras: JsonObject | undefined

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
    const { account, resource, sequence } = this.#row
    return account === null && sequence < 0 && resource !== 'subscription' ? SAMPLE_ACCOUNT : account
  }

  get sequence(): number {
    return Math.abs(this.#row.sequence)
  }

  get subject(): ShipbellEvent['subject'] {
    const { previous_event_id: previousEventId, resource, subject_id: id, subject_version: version } = this.#row
    return { resource, id, version, previousEventId }
  }

  get timestamp(): number {
    return this.#row.timestamp
  }

  get observed(): Observed | null {
    const { not_after: notAfter, not_before: notBefore } = this.#row
    return notAfter === null ? null : { notBefore, notAfter }
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
    const changes: ShipbellEvent['changes'] = this.#changes ?? JSON.parse(this.#row.changes ?? 'null')
    this.#changes = changes
    return changes
  }

  get shipment(): ShipbellEvent['shipment'] {
    const shipment: ShipbellEvent['shipment'] = this.#shipment ?? JSON.parse(this.#row.shipment ?? 'null')
    this.#shipment = shipment
    return shipment
  }

  get extras(): ShipbellEvent['extras'] {
    const extras: ShipbellEvent['extras'] = this.#extras ?? JSON.parse(this.#row.extras)
    this.#extras = extras
    return extras
  }
}

/** Throws `internal` for a delivery of an event outside its batch. */
export function refuseStray(batch: Parameters<typeof strayDelivery>[0]): void {
  const stray = strayDelivery(batch)
  if (stray === undefined) return
  const sentence = `A delivery to ${stray.subscription} names ${stray.eventId}, which is not in its batch.`
  throw new ShipbellError('internal', sentence)
}
