import { recordRow } from './record-row.ts'
import { hash } from 'node:crypto'
import type { Clock } from '../../src/clock.ts'
import { textField, type JsonObject } from '../../src/model/json.ts'
import { shipmentIdFieldOf } from '../../src/model/shipment-id.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import type { Validator } from '../../src/model/validator.ts'
import type { Failure, Outcome, Page, Row, Unchanged } from '../../src/platform/outcome.ts'
import type {
  FetchedResource,
  ItemRequest,
  ListedResource,
  PageRequest,
  Platform,
} from '../../src/platform/platform.ts'

export type Trouble =
  | { readonly kind: 'unauthorized' | 'forbidden' | 'rejected' | 'broken' | 'unreachable' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }

export interface Asked {
  readonly what: string
  readonly at: number
}

/** A platform in memory: the outside of the poll room. Each answer takes `latencyMs` of the given clock. */
export class FakePlatform implements Platform {
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
    this.#clock = clock
  }

  async list(resource: ListedResource, request: PageRequest): Promise<Outcome<Page | Unchanged>> {
    const what = `${resource}s?skip=${request.skip}`
    return this.#answer(what, (exchange) => {
      const all = this.#listed(resource)
      const skip = this.ignoresSkip ? 0 : request.skip
      const rows = all
        .slice(skip, skip + Math.min(request.take, this.mostRows))
        .map((record) => this.#row(resource, record))
      if (rows.length === 0 && resource === 'shipment') return { kind: 'empty', exchange: { ...exchange, status: 404 } }
      const [first] = rows
      const shipmentIdField =
        first?.kind === 'record' && resource === 'shipment' ? shipmentIdFieldOf([first.record]) : null
      const page = this.retouch({ rows, shipmentIdField, certainIdField: shipmentIdField })
      return this.#unlessKnown(
        what,
        { kind: 'ok', value: page, exchange, validator: validatorOf(page) },
        request.known ?? null,
      )
    })
  }

  async item(resource: FetchedResource, id: string): Promise<Outcome<JsonObject>> {
    return this.#answer(`${resource}/${id}`, (exchange) => {
      const found = this.hides(`${resource}/${id}`) ? undefined : this.#found(resource, id)
      if (found === undefined) return { kind: 'not_found', exchange: { ...exchange, status: 404 } }
      return { kind: 'ok', value: found, exchange }
    })
  }

  async reread(resource: FetchedResource, { id, known }: ItemRequest): Promise<Outcome<JsonObject | Unchanged>> {
    const outcome = await this.item(resource, id)
    if (outcome.kind !== 'ok') return outcome
    return this.#unlessKnown(`${resource}/${id}`, { ...outcome, validator: validatorOf(outcome.value) }, known)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #unlessKnown<T>(
    what: string,
    answer: Extract<Outcome<T>, { kind: 'ok' }>,
    known: Validator | null,
  ): Outcome<T | Unchanged> {
    const etag = this.etagOf(what)
    const validator = answer.validator === undefined ? undefined : { ...answer.validator, etag }
    const isTagged = known !== null && known.etag !== null && known.etag === etag
    if (validator === undefined || (!isTagged && validator.contentHash !== known?.contentHash)) {
      return validator === undefined ? answer : { ...answer, validator }
    }
    this.unchanged.push(what)
    return { ...answer, value: 'unchanged', validator: isTagged ? known : validator }
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

  #found(resource: FetchedResource, id: string): JsonObject | undefined {
    const extra = this.found.get(`${resource}/${id}`)
    if (extra !== undefined) return extra
    if (resource === 'tracking') return this.tracking.get(id)
    if (resource === 'order_preparation') return this.orderPreparations.get(id)
    return this.#listed(resource).find((record) => idOf(resource, record) === id)
  }

  async #answer<T>(what: string, make: (exchange: Exchange) => Outcome<T>): Promise<Outcome<T>> {
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

/** As of the bytes: what was made of them is in it, for a fake has no other way to show that it differs. */
function validatorOf(value: unknown): Validator {
  return { contentHash: hash('sha256', JSON.stringify(value)), etag: null }
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
