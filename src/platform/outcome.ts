import type { Exchange, Validator } from '../model/exchange.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { OwnLimit } from '../model/own-limit.ts'

/**
 * What came of a request. Expected failures are values, each with one sentence for an operator in `reason`.
 *
 * - `empty`: a list answered 404 with an object body: it has no (more) items
 * - `not_found`: an item answered 404, 410 or 204
 * - `rejected`: a record that cannot be used: the platform answers, this item does not
 * - `unauthorized`: 401 or 403
 * - `broken`: an answer that cannot be used: 5xx, other statuses, no JSON, JSON of the wrong shape (an error under a 200),
 *   more than 64 MiB
 * - `throttled`: 429, or a 403 that says how long to wait or that a rate limit is exhausted; not a failure, `retryAfterMs` is a
 *   floor for every request of the account
 * - `unreachable`: no answer: refused, reset, DNS, TLS, deadline; `lacks`: this process or machine had none left of that, which says
 *   nothing of the platform
 */
export type Outcome<T> =
  | {
      readonly kind: 'ok'
      readonly value: T
      readonly exchange: Exchange
      /** By what the same answer is known again; left out where nothing can tell. */
      readonly validator?: Validator
    }
  | { readonly kind: 'empty'; readonly exchange: Exchange }
  | { readonly kind: 'not_found'; readonly exchange: Exchange }
  | { readonly kind: 'rejected'; readonly reason: string; readonly exchange: Exchange }
  | Failure

export interface Refused {
  readonly kind: 'unauthorized'
  readonly reason: string
  readonly exchange: Exchange
}

export type Failure =
  | Refused
  | {
      readonly kind: 'throttled' | 'broken'
      readonly reason: string
      /** From `Retry-After` on 429, 403 and 503, or from a rate limit's reset; null where there was none. */
      readonly retryAfterMs: number | null
      readonly exchange: Exchange
    }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly exchange: Exchange; readonly lacks?: OwnLimit }

/** The answer is the one that the request said is known: its body was not read. */
export type Unchanged = 'unchanged'

/** One page of a list, row by row: a bad row never spoils the good ones. */
export interface Page {
  readonly rows: readonly Row[]
  /** The field that identifies a shipment in these rows (guarantee D11); null for other resources. */
  readonly shipmentIdField: string | null
  /** The field of `shipmentIdField`, if nothing else on these rows could be taken for it; otherwise null. */
  readonly certainIdField: string | null
}

/** A record that can be understood. */
export interface RecordRow {
  readonly kind: 'record'
  readonly id: string
  /** The content hash of its text. */
  readonly contentHash: string
  /** Whether a known record has this very text. */
  readonly isKnown: boolean
  /** The record as sent. That of a known row is parsed when it is first asked for. */
  readonly record: JsonObject
}

export type Row =
  | RecordRow
  | { readonly kind: 'rejected'; readonly id: string | null; readonly reason: string; readonly record: Json }

export function broken(reason: string, exchange: Exchange, retryAfterMs: number | null = null): Failure {
  return { kind: 'broken', reason, retryAfterMs, exchange }
}
