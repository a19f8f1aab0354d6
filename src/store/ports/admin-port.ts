import type { HoldVerdict } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'

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
   * Says of a hold whether the platform is to be believed; the next pass over its list obeys. A rejection also forgets
   * every miss of the list's records. Returns false where nothing is held, or it was rejected already.
   */
  judgeHold(account: string, resource: RecordResource, verdict: HoldVerdict): Promise<boolean>

  /**
   * Says of the records of a list of which no fetch proves anything whether they are gone. Accepted ones are removed by the next
   * complete pass, rejected ones stay until they are met again. Returns false where none waits.
   */
  judgeUnproved(account: string, resource: RecordResource, verdict: HoldVerdict): Promise<boolean>

  /**
   * Forgets a slice of the misses of a list's records. Resolves to whether none is left. Call it until then before a rejection,
   * which then has little left to forget.
   */
  forgetMisses(account: string, resource: RecordResource): Promise<boolean>

  /** Keeps that a session of the admin interface was signed out, until it expires. */
  endSession(session: EndedSession, now: number): Promise<void>

  /** The sessions that were signed out and have not expired. */
  endedSessions(now: number): Promise<readonly EndedSession[]>

  /** Throws `store_unusable` unless a write would succeed now. */
  assertWritable(): Promise<void>

  /** Throws `store_unusable` where the store was deleted, moved or replaced since it was opened. Writes nothing. */
  assertInPlace(): Promise<void>
}
