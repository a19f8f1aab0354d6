import type { Observed, ShipbellEvent } from '../../model/event.ts'
import { accountOf, toObserved, toSubject, type Documents, type EventRow } from './event-rows.ts'
import { KeptJson } from '../documents/kept-json.ts'

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
