import type { JsonObject } from '../model/json.ts'

/** What is wrong with what was asked for, and where in it. */
export interface AskedWrongly {
  readonly problems: readonly { readonly at: string; readonly says: string }[]
}

/** What came of asking for a subscription. `secret`: what signs it, shown once; null: it has the one it had. */
export type Subscribing = AskedWrongly | { readonly name: string; readonly secret: string | null }

/**
 * What is done to subscriptions that are made at run time. All throw `ShipbellError`: `not_found` where there is none of a name,
 * `wrong_state` where the state of things does not allow it.
 */
export interface RuntimeActions {
  subscribe(keys: JsonObject): Promise<Subscribing>
  /** Changes the keys that are named; null takes one back to its default. */
  alter(name: string, keys: JsonObject): Promise<Subscribing>
  /** Resolves to the new secret: the one before it signs beside it for a day. */
  rotateSecret(name: string): Promise<string>
  /** Ends one: what waits is discarded. */
  unsubscribe(name: string): Promise<void>
}
