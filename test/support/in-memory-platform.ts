import type { Exchange, Validator } from '../../src/model/exchange.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Outcome, Page, Unchanged } from '../../src/platform/outcome.ts'
import type {
  FetchedResource,
  ItemRequest,
  ListedResource,
  PageRequest,
  Platform,
} from '../../src/platform/platform.ts'

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

/**
 * A platform without a wire. What it shows, how long it takes and what goes wrong is for those who extend it to say; the
 * interface is kept here.
 */
export abstract class InMemoryPlatform implements Platform {
  /** Takes the time of a request; resolves to what `make` makes of its exchange, or to what went wrong. */
  protected abstract answer<T>(
    asked: Asked,
    make: (exchange: Exchange) => Outcome<T>,
    signal?: AbortSignal,
  ): Promise<Outcome<T>>

  protected abstract page(asked: PageAsked, exchange: Exchange): Shown<Page>

  /** null: it is not there. */
  protected abstract record(asked: ItemAsked, exchange: Exchange): Shown<JsonObject> | null

  /** The validator of an answer that is known; null: all of it is sent. */
  protected recognise(_what: string, validator: Validator, known: Validator): Validator | null {
    return validator.contentHash === known.contentHash ? validator : null
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
    return this.answer(asked, make, signal)
  }

  async item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>> {
    const asked = { resource, id, what: `${resource}/${id}` }
    const make = (exchange: Exchange): Outcome<JsonObject> => {
      const shown = this.record(asked, exchange)
      if (shown === null) return { kind: 'not_found', exchange: gone(exchange) }
      return { kind: 'ok', value: shown.value, exchange }
    }
    return this.answer(asked, make, signal)
  }

  async reread(
    resource: FetchedResource,
    { id, known }: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>> {
    const asked = { resource, id, what: `${resource}/${id}` }
    const make = (exchange: Exchange): Outcome<JsonObject | Unchanged> => {
      const shown = this.record(asked, exchange)
      if (shown === null) return { kind: 'not_found', exchange: gone(exchange) }
      return this.#unlessKnown(asked.what, { ...shown, exchange }, known)
    }
    return this.answer(asked, make, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #unlessKnown<T>(
    what: string,
    { value, validator, exchange }: Shown<T> & { readonly exchange: Exchange },
    known: Validator | null,
  ): Outcome<T | Unchanged> {
    const same = known === null ? null : this.recognise(what, validator, known)
    return same === null
      ? { kind: 'ok', value, exchange, validator }
      : { kind: 'ok', value: 'unchanged', exchange, validator: same }
  }
}

function gone(exchange: Exchange): Exchange {
  return { ...exchange, status: 404 }
}
