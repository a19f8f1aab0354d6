import type { JsonObject, Json } from '../model/json.ts'
import type { Validator, Exchange } from '../model/exchange.ts'
import type { ListedResource, RecordResource } from '../model/resource.ts'
import type { Outcome, Page, Unchanged, Failure } from './outcome.ts'
import type { OrderPreparationDraft } from './wire/order-preparation.ts'
import type { PurchaseOrderDraft, PurchaseOrderUpdate } from './wire/purchase-order.ts'

/**
 * The platform as one account sees it. Each call is one HTTP request, and never throws for what the platform does: it
 * rejects only with an `AbortError`, where `signal` aborts or the platform is disposed of before the answer is whole.
 */
export interface Platform extends AsyncDisposable {
  /**
   * A page of a list. Where the request says what is known of it: `unchanged` if it is the same
   * again; otherwise perhaps an `UnreadPage`, whose rows are read by whoever knows what the last answer showed.
   */
  list(
    resource: ListedResource,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | UnreadPage | Unchanged>>
  /** One record by its id, as sent. */
  item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>>
  /** Asks for a record of which something is known: `unchanged` if the answer is the known one. */
  reread(
    resource: FetchedResource,
    request: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>>
}

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
  /** Reads the rows; known ones are not even parsed. Call it once. */
  readonly read: (known: KnownRows) => Promise<Outcome<Page>>
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

/**
 * Everything an account can do at the platform: read, write, and call an endpoint as it stands. A write is sent once and
 * never repeated: after `unreachable` or `broken` only a read tells whether it was carried out.
 */
export interface PlatformClient extends Platform {
  /** `POST /v1/purchaseOrders`. */
  createPurchaseOrder(body: PurchaseOrderDraft, signal?: AbortSignal): Promise<WriteOutcome>
  /** `PATCH /v1/purchaseOrders`: replaces the lines; refused once the order is on a shipment. */
  updatePurchaseOrder(body: PurchaseOrderUpdate, signal?: AbortSignal): Promise<WriteOutcome>
  /** `POST /v1/orderPreparations`. */
  createOrderPreparation(body: OrderPreparationDraft, signal?: AbortSignal): Promise<WriteOutcome>
  /** Any endpoint, its answer not judged. Rejects with `usage` where the interface has no such endpoint. */
  call(call: Call, signal?: AbortSignal): Promise<CallOutcome>
}

/** What came of a write. Any 2xx is `ok`; 400, 404, 409 and 422 are `refused`: the platform understood and said no. */
export type WriteOutcome =
  | {
      readonly kind: 'ok'
      /** The reference as the answer names it; null where it names none. */
      readonly value: { readonly reference: string | null }
      readonly exchange: Exchange
    }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly exchange: Exchange }
  | Failure

export interface Call {
  /** The method, in any case. */
  readonly method: string
  /** The path with or without `/v1`, with its query; identifiers percent-encoded. */
  readonly path: string
  /** JSON text, sent as it is; null: no body. */
  readonly body: string | null
}

/** The answer to a call whatever its status, or why there is none that could be read. */
export type CallOutcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: CallBody
      /** One sentence for an operator: what was answered to what. */
      readonly reason: string
      readonly exchange: Exchange
    }
  | Failure

/** `text`: no JSON, or JSON nested too deep to be worked with. */
export type CallBody =
  | { readonly kind: 'json'; readonly value: Json; /** As it was sent. */ readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
