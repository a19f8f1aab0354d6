import { recordRow } from './record-row.ts'
import { hash } from 'node:crypto'
import type { Clock } from '../../src/clock.ts'
import { textField, type JsonObject } from '../../src/model/json.ts'
import { shipmentIdFieldOf } from '../../src/model/shipment-id.ts'
import type { Exchange, Validator } from '../../src/model/exchange.ts'
import type { Failure, Outcome, Page, Row } from '../../src/platform/outcome.ts'
import type { ListedResource } from '../../src/platform/platform.ts'
import {
  InMemoryPlatform,
  type Asked as Question,
  type ItemAsked,
  type PageAsked,
  type Shown,
} from './in-memory-platform.ts'

export type Trouble =
  | { readonly kind: 'unauthorized' | 'forbidden' | 'rejected' | 'broken' | 'unreachable' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }

export interface Asked {
  readonly what: string
  readonly at: number
}

/** A platform in memory: the outside of the poll room. Each answer takes `latencyMs` of the given clock. */
export class FakePlatform extends InMemoryPlatform {
  shipments: JsonObject[] = []
  invoices: JsonObject[] = []
  documents: JsonObject[] = []
  purchaseOrders: JsonObject[] = []
  locations: JsonObject[] = []
  readonly orderPreparations = new Map<string, JsonObject>()
  readonly tracking = new Map<string, JsonObject>()
  /** The most rows it gives a page, whatever was asked for. */
  mostRows = 100
  ignoresSkip = false
  /** What each answer is said to weigh. */
  bytes = 1
  /** Looked at before each request; a trouble is answered instead. */
  trouble: (what: string) => Trouble | null = () => null
  /** Called after each answer was made, to change the world while a pass runs. */
  afterEach: (what: string) => void = () => undefined
  /** Whether a fetch by id answers 404 whatever is there: `shipment/SHP-1`. */
  hides: (what: string) => boolean = () => false
  /** What becomes of a page on its way. */
  retouch: (page: Page) => Page = (page) => page
  /** What a fetch by id shows although no list does, as `shipment/SHP-1`. */
  readonly found = new Map<string, JsonObject>()
  /** Whether rows of an id are said to fail validation. */
  rejects: (id: string) => boolean = () => false
  /** How old an answer is said to be. */
  ageMs: (what: string) => number = () => 0
  /** What an answer is tagged with, true or not: what is asked for with its tag is unchanged. */
  etagOf: (what: string) => string | null = () => null
  /** What its clock says, by which its answers are dated; null: they are not. */
  platformClock: (now: number) => number | null = () => null
  readonly asked: Asked[] = []
  /** What was answered by saying that it is known, as `asked` names it. */
  readonly unchanged: string[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    super()
    this.#clock = clock
  }

  protected override page({ resource, skip, take, what }: PageAsked): Shown<Page> {
    const first = this.ignoresSkip ? 0 : skip
    const records = this.#listed(resource).slice(first, first + Math.min(take, this.mostRows))
    const rows = records.map((record) => this.#row(resource, record))
    const [row] = rows
    const shipmentIdField = row?.kind === 'record' && resource === 'shipment' ? shipmentIdFieldOf([row.record]) : null
    return this.#shown(what, this.retouch({ rows, shipmentIdField, certainIdField: shipmentIdField }))
  }

  protected override record({ resource, id, what }: ItemAsked): Shown<JsonObject> | null {
    const found = this.hides(what) ? undefined : this.#found(resource, id)
    return found === undefined ? null : this.#shown(what, found)
  }

  protected override recognise(what: string, validator: Validator, known: Validator): Validator | null {
    const isTagged = known.etag !== null && known.etag === validator.etag
    const same = isTagged ? known : super.recognise(what, validator, known)
    if (same !== null) this.unchanged.push(what)
    return same
  }

  /** As of the bytes: what was made of them is in it, for a fake has no other way to show that it differs. */
  #shown<T>(what: string, value: T): Shown<T> {
    return { value, validator: { contentHash: hash('sha256', JSON.stringify(value)), etag: this.etagOf(what) } }
  }

  #row(resource: ListedResource, record: JsonObject): Row {
    const row = rowOf(resource, record)
    if (row.id === null || !this.rejects(row.id)) return row
    return { kind: 'rejected', id: row.id, reason: 'not understood', record }
  }

  #listed(resource: ListedResource): readonly JsonObject[] {
    switch (resource) {
      case 'shipment':
        return this.shipments
      case 'invoice':
        return this.invoices
      case 'document':
        return this.documents
      case 'purchase_order':
        return this.purchaseOrders
      case 'location':
        return this.locations
      default:
        return resource satisfies never
    }
  }

  #found(resource: ItemAsked['resource'], id: string): JsonObject | undefined {
    const extra = this.found.get(`${resource}/${id}`)
    if (extra !== undefined) return extra
    if (resource === 'tracking') return this.tracking.get(id)
    if (resource === 'order_preparation') return this.orderPreparations.get(id)
    return this.#listed(resource).find((record) => idOf(resource, record) === id)
  }

  protected override async answer<T>(
    { what }: Question,
    make: (exchange: Exchange) => Outcome<T>,
  ): Promise<Outcome<T>> {
    const at = this.#clock.now()
    this.asked.push({ what, at })
    const trouble = this.trouble(what)
    const ageMs = this.ageMs(what)
    const platformClock = this.platformClock(at)
    const exchange = {
      ...(platformClock === null ? {} : { platformClock }),
      method: 'GET',
      path: `/v1/${what}`,
      sentAt: at,
      answeredAt: this.#clock.now(),
      status: 200,
      bytes: this.bytes,
      ...(ageMs === 0 ? {} : { ageMs }),
    }
    const outcome = trouble === null ? make(exchange) : failure(trouble, exchange)
    this.afterEach(what)
    return outcome
  }
}

function failure(trouble: Trouble, exchange: Exchange): Failure | Extract<Outcome<never>, { kind: 'rejected' }> {
  switch (trouble.kind) {
    case 'rejected':
      return { kind: 'rejected', reason: 'the record cannot be used', exchange }
    case 'forbidden':
      return { kind: 'unauthorized', reason: 'this record is not yours (403)', exchange: { ...exchange, status: 403 } }
    case 'unauthorized':
      return { kind: 'unauthorized', reason: 'the key was refused (401)', exchange: { ...exchange, status: 401 } }
    case 'throttled':
      return {
        kind: 'throttled',
        reason: 'too many requests',
        retryAfterMs: trouble.retryAfterMs,
        exchange: { ...exchange, status: 429 },
      }
    case 'broken':
      return {
        kind: 'broken',
        reason: 'the platform answered 500',
        retryAfterMs: null,
        exchange: { ...exchange, status: 500 },
      }
    case 'unreachable':
      return { kind: 'unreachable', reason: 'connection refused', exchange: { ...exchange, status: null } }
    default:
      return trouble satisfies never
  }
}

function rowOf(resource: ListedResource, record: JsonObject): Row {
  const id = idOf(resource, record)
  return id === null ? { kind: 'rejected', id: null, reason: 'no identifier', record } : recordRow(id, record)
}

const ID_FIELDS: Readonly<Record<ListedResource, string>> = {
  shipment: 'platform_shipment_id',
  invoice: 'reference',
  document: 'id',
  purchase_order: 'po_number',
  location: 'id',
}

function idOf(resource: ListedResource, record: JsonObject): string | null {
  return textField(record, ID_FIELDS[resource])
}
