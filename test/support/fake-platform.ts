import type { Clock } from '../../src/clock.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { shipmentIdFieldOf } from '../../src/model/shipment-id.ts'
import type { Exchange, Failure, Outcome, Page, Row } from '../../src/platform/outcome.ts'
import type { FetchedResource, ListedResource, PageRequest, Platform } from '../../src/platform/platform.ts'

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
  readonly tracking = new Map<string, JsonObject>()
  /** The most rows it gives a page, whatever was asked for. */
  mostRows = 100
  ignoresSkip = false
  /** Looked at before each request; a trouble is answered instead. */
  trouble: (what: string) => Trouble | null = () => null
  /** Called after each answer was made, to change the world while a pass runs. */
  afterEach: (what: string) => void = () => undefined
  readonly asked: Asked[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async list(resource: ListedResource, request: PageRequest): Promise<Outcome<Page>> {
    return this.#answer(`${resource}s?skip=${request.skip}`, (exchange) => {
      const all = resource === 'shipment' ? this.shipments : this.invoices
      const skip = this.ignoresSkip ? 0 : request.skip
      const rows = all
        .slice(skip, skip + Math.min(request.take, this.mostRows))
        .map((record) => rowOf(resource, record))
      if (rows.length === 0 && resource === 'shipment') return { kind: 'empty', exchange }
      const [first] = rows
      const shipmentIdField =
        first?.kind === 'record' && resource === 'shipment' ? shipmentIdFieldOf([first.record]) : null
      return { kind: 'ok', value: { rows, shipmentIdField }, exchange }
    })
  }

  async item(resource: FetchedResource, id: string): Promise<Outcome<JsonObject>> {
    return this.#answer(`${resource}/${id}`, (exchange) => {
      const found = this.tracking.get(id)
      return found === undefined ? { kind: 'not_found', exchange } : { kind: 'ok', value: found, exchange }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #answer<T>(what: string, make: (exchange: Exchange) => Outcome<T>): Promise<Outcome<T>> {
    const at = this.#clock.now()
    this.asked.push({ what, at })
    const trouble = this.trouble(what)
    const exchange = {
      method: 'GET',
      path: `/v1/${what}`,
      sentAt: at,
      answeredAt: this.#clock.now(),
      status: 200,
      bytes: 1,
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
  const id = resource === 'shipment' ? record.platform_shipment_id : record.reference
  if (typeof id === 'string') return { kind: 'record', id, record }
  return { kind: 'rejected', id: null, reason: 'no identifier', record }
}
