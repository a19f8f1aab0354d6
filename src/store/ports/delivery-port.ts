import type { AttemptResult, Cooldown } from '../../model/attempt-result.ts'
import type { EndpointFacts } from '../../model/endpoint.ts'
import type { DeliveryPlace } from '../../model/delivery-place.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { DeliveryOrder, SubscriptionStart } from '../../model/subscription.ts'

/** Instants of claims, retries and what is due next are of steady time. */
export interface DeliveryStore extends EndpointStore, WaitStore {
  /**
   * Makes the configured subscriptions known: rows of missing ones and of ones disabled in the file become `held`, those
   * of returned or enabled ones `pending` again, unless they are disabled. A changed `order` holds for existing rows, too.
   * Dates that subscriptions without a `min_shift` were sent are forgotten. Rows that were put off without an attempt are due
   * again. In force at once; `AdminStore.settleRows` moves all but the first rows. `config`: the digest of the configuration that is
   * put in force by it, where several workers share the store.
   */
  syncSubscriptions(subscriptions: readonly ConfiguredSubscription[], at: number, config?: string): Promise<void>

  /**
   * Takes due rows for `owner`, oldest event first, at most `slots` of each subscription. Nobody else gets them until
   * `now + leaseMs`; after that they are due again, so a killed process's work is taken up. Of a store that is a file only the
   * process that holds its lock may claim: its claims end with it.
   * With `order: subject` a row is taken only while no older row of its account and subject is pending or held, and none is
   * under way: at most one of them at a time. Of an endpoint that is not open only tests are taken, whatever state its rows
   * are in; of one that has recovered from four failures in a row also what waits for its schedule, brought forward.
   */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>

  /**
   * The rows that a claim would take now, oldest event first, and behind them the tests that wait. Takes none: a channel that
   * sends several events in one message makes its batches of this.
   */
  waiting(request: WaitingRequest): Promise<readonly WaitingDelivery[]>

  /** Writes the outcomes of attempts. Idempotent: rows that `owner` no longer holds are left alone. */
  settle(owner: string, attemptResults: readonly AttemptResult[]): Promise<void>

  /**
   * Ends the claims of `owner` of all deliveries but these, which it sends; returns how many. What it claimed without hearing of it, as
   * the answer was lost, is free then.
   */
  releaseClaims(owner: string, sent: readonly string[]): Promise<number>

  /** Ends all claims of workers that are not alive, at once; returns how many. */
  recoverClaims(recovery?: ClaimRecovery): Promise<number>

  /**
   * When a claim may next find a row of these subscriptions (of any, where they are left out): its due time, or the end of
   * its claim; of a row that is due now, when it became so; null where none is pending. Name those with free slots: the
   * backlog of the others is no reason to look.
   */
  nextDueAt(subscriptions?: readonly string[]): Promise<number | null>
}

export interface ClaimRequest {
  readonly owner: string
  readonly now: number
  /** What the wall clock shows; left out: `now`. */
  readonly wallNow?: number
  readonly leaseMs: number
  readonly slots: ReadonlyMap<string, number>
  /**
   * How many rows of all subscriptions together may be claimed; left out: as many as have a slot. A file takes subscriptions in
   * the order of `slots`, a database has each be the first in turn.
   */
  readonly most?: number
  /** Deliveries to choose from; left out: all. */
  readonly only?: readonly string[]
  /** The subscriptions of which other rows than the oldest are taken. */
  readonly among?: ReadonlyMap<string, ClaimAmong>
  /** How many rows of each subscription that recovers may be brought forward; left out: as many as have a slot. */
  readonly forward?: ReadonlyMap<string, number>
  /** By subscription; left out: what its own process keeps to is enough. */
  readonly limits?: ReadonlyMap<string, ClaimLimit>
  /** A command asked for these: they wait neither for a rest nor for who gathers. */
  readonly forced?: boolean
}

export type ClaimAmong = 'tests' | 'newest'

/**
 * What all workers together keep to, of one subscription. A store that one process delivers from leaves it aside: that process
 * keeps to it by itself.
 */
export interface ClaimLimit {
  /** Attempts at once: no more rows are taken than it leaves room for beside those that anybody has claimed. */
  readonly concurrency: number
  /** How many attempts a time allows: those that ended count where their `AttemptResult` has an `endedAt`; null: any number. */
  readonly rate: { readonly requests: number; readonly perMs: number } | null
  /** Nothing but tests is taken while it rests; null: nothing that it sends to asks for that. */
  readonly address: string | null
  /**
   * Of a channel that gathers: in how many attempts the rows are sent. All of them are taken or none: none while others have claims of
   * the subscription, or gather (`WaitingRequest.owner`). Left out: each row is an attempt.
   */
  readonly attempts?: number
}

interface ClaimRecovery {
  /**
   * Owners of claims that are alive; `workers`: those among the workers of the store, as of when the claims are looked at; left out:
   * none is, because the caller holds the store's lock.
   */
  readonly alive?: readonly string[] | 'workers'
  /** When attempts whose worker died count as ended: now, in steady time. */
  readonly now?: number
}

export interface WaitingRequest {
  /**
   * Who gathers: what is shown to it of a subscription is shown to no other one for a minute, or until nothing waits any more, and
   * nothing is shown while others have claims. So what one hour's digest tells is not sent in two. Left out: a mere look.
   */
  readonly owner?: string
  readonly now: number
  /** How many of each subscription are looked at. */
  readonly most: ReadonlyMap<string, number>
  /** Deliveries to choose from; left out: all. */
  readonly only?: readonly string[]
  /** `tests`: of these subscriptions nothing else is looked at. */
  readonly among?: ReadonlyMap<string, ClaimAmong>
  /** How many rows of subscriptions that recover may be brought forward: those of 1 or more are shown such rows, too; left out: all. */
  readonly forward?: ReadonlyMap<string, number>
}

/** A row that is due, with what is at hand of its event without reading a body. */
export interface WaitingDelivery {
  readonly id: string
  readonly subscription: string
  /** Attempts made before this one since the row was made, released or retried by command: its place in the retry schedule. */
  readonly attempts: number
  /** When it was due, by the wall clock. For a row that nothing happened to since its event rang: `rangAt`. */
  readonly dueAt: number
  /** When its event rang: later than the event's `timestamp` where an estimate waited (guarantee K6). */
  readonly rangAt: number
  readonly event: Pick<ShipbellEvent, 'account' | 'cause'> & {
    readonly subject: Pick<ShipbellEvent['subject'], 'resource' | 'id'>
  }
}

export interface ClaimedDelivery extends WaitingDelivery {
  /** The event. Its documents are unpacked where they are first asked for; a damaged one throws `store_unusable` there. */
  readonly event: ShipbellEvent
  /** What the reader of a date change was told last, with `min_shift`; null or left out: what the date changed from. */
  readonly lastTold?: number | null
  /** Where it stands among the deliveries of its subscription; null or left out: it has no number, as a test has none. */
  readonly place?: DeliveryPlace | null
  /** When the retry was due that was brought forward. A failure before then puts it back, and takes none of its retries. */
  readonly resumesAt?: number | null
  /** What its channel kept of earlier attempts; null or left out: nothing. In PostgreSQL it is read for channels that gather alone. */
  readonly progress?: string | null
}

/** What decides how freely an endpoint is tried. */
export interface EndpointLoad {
  readonly subscription: string
  readonly failuresInARow: number
  /** Tests left out. */
  readonly pending: number
}

/** How the endpoint of a configured subscription fares. */
export interface EndpointStanding extends EndpointFacts, EndpointLoad {
  /** Whether the file enables it. */
  readonly enabled: boolean
}

/** How the endpoints of the subscriptions fare. */
export interface EndpointStore {
  /** The standings of the subscriptions that are configured, by name. Cheap, whatever the size of the ledger. */
  endpointFacts(): Promise<readonly EndpointStanding[]>
}

/**
 * How steady time stands. Waits are measured by it and not by the wall clock: it shows what that shows plus `aheadMs`, and goes on
 * evenly where that is set, forwards or backwards.
 */
export interface SteadyMark {
  /** The latest instant of it at which a wait is known to have begun. */
  readonly latest: number
  readonly aheadMs: number
}

/** What outlives a process of how it waits. */
interface Waits {
  readonly steady: SteadyMark
  /** The cooldowns of attempt results, each until the latest instant that was asked for; some may be over. */
  readonly cooldowns: readonly Cooldown[]
}

/** Steady time and the cooldowns of addresses, as they outlive a process. */
export interface WaitStore {
  waits(): Promise<Waits>

  /**
   * The wall clock was set, or differs from when the last process ended. Waits stay as long as they were. But rows that were
   * put off without an attempt are due again, because they waited until that clock shows an hour.
   */
  keepSteadyTime(mark: SteadyMark): Promise<void>
}

/** What a store has to know of a subscription in the file. */
export interface ConfiguredSubscription {
  readonly name: string
  readonly enabled: boolean
  /** `snapshot`: a run begins where the store has not had its name; left out: none does. */
  readonly start?: SubscriptionStart
  /** The order of its deliveries; left out: `none`. */
  readonly order?: DeliveryOrder
  /** How far a date moves at least to be told; null or left out: no matter how far. */
  readonly minShiftMs?: number | null
  /** Where it is sent, or how long what waits is kept for whoever takes it from its feed; left out: it is sent. */
  readonly channel?: { readonly kind: string; readonly keepMs?: number }
}
