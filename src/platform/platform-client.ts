import type { Json } from '../model/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Failure } from './outcome.ts'
import type { Platform } from './platform.ts'
import type { OrderPreparationDraft } from './wire/order-preparation-request.ts'
import type { PurchaseOrderDraft, PurchaseOrderUpdate } from './wire/purchase-order-request.ts'

/**
 * Everything an account can do at the platform: read, write, and call an endpoint as it stands. A write is sent once and
 * never repeated: after `unreachable` or `broken` only a read tells whether it was carried out.
 */
export interface PlatformClient extends Platform {
  /** Endpoint 6. */
  createPurchaseOrder(body: PurchaseOrderDraft, signal?: AbortSignal): Promise<WriteOutcome>
  /** Endpoint 7: replaces the lines; refused once the order is on a shipment. */
  updatePurchaseOrder(body: PurchaseOrderUpdate, signal?: AbortSignal): Promise<WriteOutcome>
  /** Endpoint 8. */
  createOrderPreparation(body: OrderPreparationDraft, signal?: AbortSignal): Promise<WriteOutcome>
  /** Any endpoint, its answer not judged. Rejects with `usage` where the interface has no such endpoint. */
  call(call: Call, signal?: AbortSignal): Promise<CallOutcome>
}

/** What came of a write. Any 2xx is `ok`; 400, 404, 409 and 422 are `refused`: the platform understood and said no. */
export type WriteOutcome =
  | {
      readonly kind: 'ok'
      /** As the answer names it; null where it names none. */
      readonly value: { readonly reference: string | null }
      readonly exchange: Exchange
    }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly exchange: Exchange }
  | Failure

export interface Call {
  /** In any case. */
  readonly method: string
  /** With or without `/v1`, with its query; identifiers percent-encoded. */
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
