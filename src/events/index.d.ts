import type { ShipbellEvent } from './types.js'

export type * from './types.js'

/** Names in lower case, as Node has them, or `Headers`. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined; readonly get?: never }

/** As it came: parsed and printed again it fits no signature. */
export type Body = string | Uint8Array | ArrayBuffer

/** What came was not signed with one of the secrets, or not lately. */
export declare class SignatureError extends Error {
  readonly name: 'SignatureError'
  readonly reason: 'missing_header' | 'malformed' | 'expired' | 'no_match'
  constructor(reason: SignatureError['reason'], message: string)
}

/**
 * Resolves to the event that was sent; throws a `SignatureError` where it was not signed with one of the secrets
 * (`whsec_…`, or the public key `whpk_…`) within `toleranceSeconds` (300) of now.
 */
export declare function verify(
  headers: HeadersLike,
  body: Body,
  secrets: string | readonly string[],
  options?: { readonly toleranceSeconds?: number },
): Promise<ShipbellEvent>

/** The headers of a request that verifies; `timestamp` in seconds. A `whsec_…` secret signs v1, a `whsk_…` key v1a. */
export declare function sign(
  secret: string,
  message: { readonly id: string; readonly timestamp: number; readonly body: Body },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>
