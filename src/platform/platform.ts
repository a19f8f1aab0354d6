import type { JsonObject } from '../model/json.ts'
import type { Validator } from '../model/validator.ts'
import type { RecordResource } from '../model/resource.ts'
import type { Outcome, Page, Unchanged } from './outcome.ts'

/**
 * The platform as one account sees it. Each call is one HTTP request, and never throws for what the platform does: it
 * rejects only with an `AbortError`, where `signal` aborts or the platform is disposed of before the answer is whole.
 */
export interface Platform extends AsyncDisposable {
  /** Endpoints 1, 4, 10, 12 and 14: a page of a list; `unchanged` only where the request says what is known of it. */
  list(resource: ListedResource, request: PageRequest, signal?: AbortSignal): Promise<Outcome<Page | Unchanged>>
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
  /** The configured shipment id field; null: find it on the page (contract section 3.11). */
  readonly shipmentIdField: string | null
  /** The validator of the last answer, where the same one would teach nothing. */
  readonly known?: Validator | null
  /** The records that the last answer showed: where they are shown again, they are not even parsed. Asked for where rows came. */
  readonly understood?: () => Promise<KnownRows>
}

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
