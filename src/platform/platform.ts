import type { JsonObject } from '../model/json.ts'
import type { Validator } from '../model/exchange.ts'
import type { RecordResource } from '../model/resource.ts'
import type { Outcome, Page, Unchanged } from './outcome.ts'

/**
 * The platform as one account sees it. Each call is one HTTP request, and never throws for what the platform does: it
 * rejects only with an `AbortError`, where `signal` aborts or the platform is disposed of before the answer is whole.
 */
export interface Platform extends AsyncDisposable {
  /**
   * Endpoints 1, 4, 10, 12 and 14: a page of a list. Where the request says what is known of it: `unchanged` if it is that
   * again, and otherwise perhaps its rows unread, for whoever knows what the last answer showed.
   */
  list(
    resource: ListedResource,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | UnreadPage | Unchanged>>
  /** Endpoints 2, 3, 5, 9, 11, 13 and 15: one record by its id, as sent. */
  item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>>
  /** The same, told what is known of the record. */
  reread(
    resource: FetchedResource,
    request: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>>
}

export type ListedResource = Exclude<RecordResource, 'tracking' | 'order_preparation'>
export type FetchedResource = RecordResource

export interface PageRequest {
  readonly skip: number
  readonly take: number
  /** The configured shipment id field; null: find it on the page (guarantee D11). */
  readonly shipmentIdField: string | null
  /** The validator of the last answer; null where the same one may teach something. Left out: the rows are wanted at once. */
  readonly known?: Validator | null
}

/** A page whose rows nobody has looked into yet. */
export interface UnreadPage {
  readonly kind: 'unread'
  /** Rows that are known are not even parsed. To be called once. */
  readonly read: (known: KnownRows) => Outcome<Page>
}

/** What the last answer to a page showed. */
export interface KnownRows {
  /** Ids of records that were understood, by the content hashes of their texts. */
  readonly ids: ReadonlyMap<string, string>
  /** `Page.certainIdField` of the answer that showed them. */
  readonly certainIdField: string | null
}

export interface ItemRequest {
  readonly id: string
  /** The validator of the last answer; null: there is none. */
  readonly known: Validator | null
}
