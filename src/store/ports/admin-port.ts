import type { HeldList, HoldVerdict } from '../../model/hold.ts'

/** Which hold a verdict is about: what `unproved` records wait for, or a pass that is not believed. */
export type HeldKey = Pick<HeldList, 'account' | 'resource' | 'reason'>

export type Judgement = 'judged' | 'unfinished' | 'unheld'

export interface EndedSession {
  readonly id: string
  readonly expiresAt: number
}

/** Why an endpoint is disabled, and when. */
export interface EndpointDisabling {
  readonly reason: string
  readonly at: number
  /** `failingSince` of the facts by which the endpoint failed for too long; left out: a command disables it. */
  readonly failingSince?: number
}

/**
 * What commands change in a store, also while a daemon works on it. What changes an endpoint is in force at once; of its rows
 * only a first slice moves with it, and `settleRows` moves the others.
 */
export interface AdminStore {
  /**
   * Makes rows `pending` and due at once, asked for at `at`: the pending, exhausted, held and discarded rows among `ids`, and, with
   * `delivered: true`, the delivered ones too (the same event id is sent again). The retry schedule starts anew. Rows of an
   * endpoint that is disabled or missing from the configuration become `held` instead, and so are sent once it is released.
   * Rows whose payload has expired are left alone: there is nothing to send.
   * Returns how many are pending now.
   */
  retry(ids: readonly string[], options: { readonly at: number; readonly delivered: boolean }): Promise<number>

  /**
   * Disables an endpoint: nothing but tests is sent from now on, and its pending rows are held. Changes nothing where it is
   * disabled already or, with `failingSince`, has had a success since then or was enabled anew.
   */
  disable(subscription: string, disabling: EndpointDisabling): Promise<void>

  /**
   * Undoes whatever disabled an endpoint, counts its failures anew, and releases the endpoint's held rows in order or discards them. Rows stay held while the
   * endpoint is disabled in the file or missing from it. Returns how many rows move, tests left out.
   */
  enable(subscription: string, options: { readonly at: number; readonly discard: boolean }): Promise<number>

  /** Drops the held rows of a subscription (they become `discarded`). Returns how many, tests left out. */
  discard(subscription: string, at: number): Promise<number>

  /**
   * Moves the next slice of rows to the state that their endpoints ask for (held, released, discarded, in turns), oldest event
   * first: of all subscriptions, or of one. Resolves to whether none is left. Call it until then, with pauses for other
   * processes' writes: after a change of an endpoint, and before counting held rows.
   */
  settleRows(at: number, subscription?: string): Promise<boolean>

  /**
   * Says of what is held of a list whether the platform is to be believed; the next complete pass obeys. A rejection of a pass also
   * forgets every miss of the list's records, a slice at a time: `unfinished` until none is left, then it is judged. `unheld`:
   * nothing is held, or it was rejected already.
   */
  judge(held: HeldKey, verdict: HoldVerdict): Promise<Judgement>

  /** Keeps that a session of the admin interface was signed out, until it expires. */
  endSession(session: EndedSession, now: number): Promise<void>

  /** The sessions that were signed out and have not expired. */
  endedSessions(now: number): Promise<readonly EndedSession[]>
}
