import type { PollStore, Store } from './store.ts'

/** A store that several processes may work on at once. */
export interface SharedStore extends Store {
  readonly workers: WorkerStore
}

/**
 * The processes that share a store, and what one of them alone may do. A worker lives for as long as it renews itself; one that
 * expired is dropped by whoever notices, and with it its leases end. What it claimed is free then (`recoverClaims`).
 * All instants are of the database's clock, in milliseconds since the Unix epoch.
 */
export interface WorkerStore {
  /** `id` was never used before. */
  join(worker: NewWorker, ttlMs: number): Promise<Joined>

  /** Lives on for `ttlMs`, with these facts. null: it has expired, and has to join under a new id. Idempotent. */
  renew(worker: WorkerRenewal, ttlMs: number): Promise<Joined | null>

  /** Ends the worker and its leases at once. Idempotent. */
  leave(id: string): Promise<void>

  /**
   * The workers that live, the oldest first, and the units that are known. `bury`: those that expired are dropped before, which
   * ends their leases.
   */
  survey(how?: { readonly bury: boolean }): Promise<WorkerSurvey>

  /** Takes the first `most` of the units that nobody holds; none for a worker that has expired. */
  take(worker: string, request: TakeRequest): Promise<readonly TakenLease[]>

  /** Ends leases, as far as they are still held. What they allowed has ended by then. Idempotent. */
  giveBack(leases: readonly Lease[]): Promise<void>

  /** Drops what is known of units that nobody holds. */
  forget(units: readonly string[]): Promise<void>

  /** The digests of subscriptions' settings, by their names, as a worker has them; null: it does not live. */
  settingsOf(worker: string): Promise<Readonly<Record<string, string>> | null>

  /**
   * The deliveries that were attempted, by whichever worker, since the look before, the earliest first; null: from now on. Of more
   * than some hundreds the newest. A hint: one that is stored long after others is left out.
   */
  attemptsSince(before: Attempted | null): Promise<Attempted>

  /** Polling under a lease: what writes throws `lease_lost`, and changes nothing, once the lease has ended. */
  under(lease: Lease): PollStore
}

/** One look at the attempts that were stored. */
export interface Attempted {
  /** Where the next look goes on, and what it has seen of what it will see. */
  readonly last: number
  readonly seen: ReadonlySet<string>
  readonly deliveries: readonly string[]
}

/** What others are told of a worker. */
export interface WorkerFacts {
  readonly host: string
  readonly pid: number
  /** What was started: `run`, `once` … Only `run` takes a share of the units. */
  readonly command: string
  readonly version: string
  /** The port of its admin interface; null: it has none. */
  readonly port: number | null
  /** What of its work does not come through in the store, in one sentence; null or left out: all does. */
  readonly stalled?: string | null
  /** Digest of its configuration, but for what is each worker's own. */
  readonly config: string
}

export interface NewWorker extends WorkerFacts {
  readonly id: string
  /** When its configuration was loaded; null: now. */
  readonly loadedAt: number | null
  /** Digests of the subscriptions' settings, by name. */
  readonly settings: Readonly<Record<string, string>>
}

export interface WorkerRenewal {
  readonly id: string
  readonly port: number | null
  readonly stalled?: string | null
  /** Another configuration was loaded, now. Left out: the same one. */
  readonly loaded?: Pick<NewWorker, 'config' | 'settings'>
}

export interface Joined {
  readonly now: number
  readonly loadedAt: number
}

export interface LiveWorker extends WorkerFacts {
  readonly id: string
  readonly since: number
  readonly loadedAt: number
}

/** What one worker alone may do until it is given back, or the worker expires. */
export interface Lease {
  readonly unit: string
  readonly worker: string
  /** Another one each time that a unit is taken. */
  readonly epoch: number
  /** The past of the database when the unit was found held (`WorkerSurvey.past`): in another past it is another lease. */
  readonly past: string
}

export interface TakenLease extends Lease {
  /** Whether its last holder expired, instead of giving it back. */
  readonly isTakeover: boolean
}

export interface TakeRequest {
  /** The units in the order of preference, each with the accounts that it stands for. */
  readonly units: readonly Unit[]
  readonly most: number
}

export interface Unit {
  readonly unit: string
  readonly accounts: readonly string[]
}

export interface UnitState extends Unit {
  /** The worker that holds the unit; null: nobody does. One that has expired may still be named. */
  readonly worker: string | null
  /** The epoch of the lease that is held, or was the last one. */
  readonly epoch: number
}

export interface WorkerSurvey {
  readonly now: number
  readonly workers: readonly LiveWorker[]
  readonly units: readonly UnitState[]
  /** The configuration that was put in force last; null: none was. */
  readonly inForce: string | null
  /** The workers that expired and were dropped by this survey. */
  readonly buried: readonly string[]
  /**
   * Stands for what the database remembers. Another one than before: it was started anew, or a standby was promoted, and the last
   * commits may be gone, whatever was answered then.
   */
  readonly past: string
}
