import { hash } from 'node:crypto'
import type { Clock } from '../../src/clock.ts'
import type { Exchange, Validator } from '../../src/model/exchange.ts'
import type { ListedResource } from '../../src/model/resource.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { shipmentIdFieldOf } from '../../src/model/shipment.ts'
import { judgeItem } from '../../src/platform/judge-item.ts'
import { broken, type Outcome, type Page, type Row, type Unchanged } from '../../src/platform/outcome.ts'
import type { FetchedResource, ItemRequest, PageRequest, Platform } from '../../src/platform/platform.ts'
import { PlatformRecords, recordId } from './platform-records.ts'
import { recordRow } from './record-row.ts'
import { outcomeOf, type Trouble } from './trouble.ts'

export interface PageAsked {
  readonly resource: ListedResource
  readonly id: null
  readonly skip: number
  readonly take: number
  /** `shipments?skip=0` */
  readonly what: string
}

export interface ItemAsked {
  readonly resource: FetchedResource
  readonly id: string
  /** `shipment/SHP-1` */
  readonly what: string
}

export type Asked = PageAsked | ItemAsked

/** What an answer holds, and by what the same one is known again. */
export interface Shown<T> {
  readonly value: T
  readonly validator: Validator
}

/** The one platform of tests without a wire. It shows the records it is given; a world of its own overrides `page` and `record`. */
export class FakePlatform extends PlatformRecords implements Platform {
  /** How long each answer takes, by the given clock. */
  latencyMs = 0
  /** The most rows it gives a page, whatever was asked for. */
  mostRows = 100
  ignoresSkip = false
  /** Whether a page shows all there is from its place on. */
  ignoresTake = false
  /** What each answer is said to weigh. */
  bytes = 1
  /** Called with each request before anything else. */
  onRequest: (asked: Asked, at: number) => void = () => undefined
  /** Looked at before each answer is made; a trouble is answered instead. */
  trouble: (what: string, asked: Asked) => Trouble | null = () => null
  /** Called after each answer was made, to change the world while a pass runs. */
  afterEach: (what: string) => void = () => undefined
  /** Whether a fetch by id answers 404 whatever is there: `shipment/SHP-1`. */
  hides: (what: string) => boolean = () => false
  /** The body that a fetch by id answers in place of a record, judged as the client does; undefined: the record. */
  body: (what: string) => Json | undefined = () => undefined
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
  /** Whether what is known is sent again all the same, in other bytes. */
  rewords: () => boolean = () => false
  /** What its clock says, by which its answers are dated; null: they are not. */
  platformClock: (now: number) => number | null = () => null
  readonly asked: { readonly what: string; readonly at: number }[] = []
  /** What was answered by saying that it is known, as `asked` names it. */
  readonly unchanged: string[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    super()
    this.#clock = clock
  }

  async list(
    resource: ListedResource,
    { skip, take, known = null }: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | Unchanged>> {
    const asked = { resource, id: null, skip, take, what: `${resource}s?skip=${skip}` }
    const make = (exchange: Exchange): Outcome<Page | Unchanged> => {
      const shown = this.page(asked, exchange)
      if (shown.value.rows.length === 0 && resource === 'shipment') return { kind: 'empty', exchange: gone(exchange) }
      return this.#unlessKnown(asked.what, { ...shown, exchange }, known)
    }
    return this.#answer(asked, make, signal)
  }

  async item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>> {
    const asked = { resource, id, what: `${resource}/${id}` }
    const make = (exchange: Exchange): Outcome<JsonObject> => {
      const body = this.body(asked.what)
      if (body !== undefined) return judged(asked, body, exchange)
      const shown = this.record(asked, exchange)
      if (shown === null) return { kind: 'not_found', exchange: gone(exchange) }
      return { kind: 'ok', value: shown.value, exchange }
    }
    return this.#answer(asked, make, signal)
  }

  async reread(
    resource: FetchedResource,
    { id, known }: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>> {
    const asked = { resource, id, what: `${resource}/${id}` }
    const make = (exchange: Exchange): Outcome<JsonObject | Unchanged> => {
      const body = this.body(asked.what)
      if (body !== undefined) return judged(asked, body, exchange)
      const shown = this.record(asked, exchange)
      if (shown === null) return { kind: 'not_found', exchange: gone(exchange) }
      return this.#unlessKnown(asked.what, { ...shown, exchange }, known)
    }
    return this.#answer(asked, make, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  protected page({ resource, skip, take, what }: PageAsked, _exchange: Exchange): Shown<Page> {
    const first = this.ignoresSkip ? 0 : skip
    const most = this.ignoresTake ? Number.POSITIVE_INFINITY : Math.min(take, this.mostRows)
    const records = this.listed(resource).slice(first, first + most)
    const rows = records.map((record) => this.#row(resource, record))
    const [row] = rows
    const shipmentIdField = row?.kind === 'record' && resource === 'shipment' ? shipmentIdFieldOf([row.record]) : null
    return this.#shown(what, this.retouch({ rows, shipmentIdField, certainIdField: shipmentIdField }))
  }

  /** null: it is not there. */
  protected record({ resource, id, what }: ItemAsked, _exchange: Exchange): Shown<JsonObject> | null {
    const found = this.hides(what) ? undefined : (this.found.get(what) ?? this.held(resource, id))
    return found === undefined ? null : this.#shown(what, found)
  }

  /** As of the bytes: what was made of them is in it, for a fake has no other way to show that it differs. */
  #shown<T>(what: string, value: T): Shown<T> {
    return { value, validator: { contentHash: hash('sha256', JSON.stringify(value)), etag: this.etagOf(what) } }
  }

  #row(resource: ListedResource, record: JsonObject): Row {
    const id = recordId(resource, record)
    if (id === null) return { kind: 'rejected', id, reason: 'no identifier', record }
    return this.rejects(id) ? { kind: 'rejected', id, reason: 'not understood', record } : recordRow(id, record)
  }

  #unlessKnown<T>(
    what: string,
    { value, validator, exchange }: Shown<T> & { readonly exchange: Exchange },
    known: Validator | null,
  ): Outcome<T | Unchanged> {
    const same = known === null ? null : sameOf(validator, known)
    if (same === null || this.rewords()) return { kind: 'ok', value, exchange, validator }
    this.unchanged.push(what)
    return { kind: 'ok', value: 'unchanged', exchange, validator: same }
  }

  /** Takes the time of a request; resolves to what `make` makes of its exchange, or to what went wrong. */
  async #answer<T>(asked: Asked, make: (exchange: Exchange) => Outcome<T>, signal?: AbortSignal): Promise<Outcome<T>> {
    const { what } = asked
    const sentAt = this.#clock.now()
    this.asked.push({ what, at: sentAt })
    this.onRequest(asked, sentAt)
    if (this.latencyMs > 0) {
      await this.#clock.sleep(this.latencyMs, signal)
      signal?.throwIfAborted()
    }
    const trouble = this.trouble(what, asked)
    const exchange = this.#exchange(what, sentAt)
    const outcome = trouble === null ? make(exchange) : outcomeOf(trouble, exchange)
    this.afterEach(what)
    return outcome
  }

  #exchange(what: string, sentAt: number): Exchange {
    const ageMs = this.ageMs(what)
    const platformClock = this.platformClock(sentAt)
    return {
      ...(platformClock === null ? {} : { platformClock }),
      method: 'GET',
      path: `/v1/${what}`,
      sentAt,
      answeredAt: this.#clock.now(),
      status: 200,
      bytes: this.bytes,
      ...(ageMs === 0 ? {} : { ageMs }),
    }
  }
}

function judged({ id, resource }: ItemAsked, body: Json, exchange: Exchange): Outcome<JsonObject> {
  const item = judgeItem(body, { resource, id, shipmentIdField: null, excerpt: (text, limit) => text.slice(0, limit) })
  if (item.kind === 'record') return { kind: 'ok', value: item.record, exchange }
  if (item.kind === 'rejected') return { kind: 'rejected', reason: item.reason, exchange }
  return broken(item.found, exchange)
}

/** The validator of an answer that is known; null: another one is. */
function sameOf(validator: Validator, known: Validator): Validator | null {
  if (known.etag !== null && known.etag === validator.etag) return known
  return known.contentHash === validator.contentHash ? validator : null
}

function gone(exchange: Exchange): Exchange {
  return { ...exchange, status: 404 }
}
