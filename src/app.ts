import { inTurns, sharedTurns, turnTaking, type Clock } from './clock.ts'
import { askReadiness } from './app/ask-readiness.ts'
import { AccountSupervisor } from './app/account-supervisor.ts'
import { accountOpener } from './app/open-account.ts'
import { openWork } from './app/open-work.ts'
import type { OpenedWork } from './app/opened-work.ts'
import { serviceDeliverer } from './app/service-deliverer.ts'
import { serveAdmin, type ServedParts } from './app/serve-admin.ts'
import { TelemetryHub, traceInto } from './app/telemetry-hub.ts'
import { ConfigFollower, LingeringSubscriptions } from './app/config-follower.ts'
import { MadeAtRunTime } from './app/made-at-run-time.ts'
import type { OnceReport } from './app/once-report.ts'
import { hasYoungRoom, YoungRoom } from './app/young-room.ts'
import { SearchIndexing } from './app/search-indexing.ts'
import { snapshotRuns } from './app/snapshot-runs.ts'
import { StallWatch } from './app/stall-watch.ts'
import type { Config } from './config/config.ts'
import type { Deliverer } from './deliver/deliverer.ts'
import { EndpointWatch, type RingEndpoint } from './deliver/endpoint-watch.ts'
import { LeftAccounts } from './app/left-accounts.ts'
import { undeliveredRows } from './report/endpoint.ts'
import { Retention } from './deliver/retention.ts'
import { RowSettling } from './deliver/row-settling.ts'
import type { SnapshotLoop } from './poll/snapshots/snapshot-loop.ts'
import type { ConfigurationState } from './model/configuration-state.ts'
import type { LiveConfig } from './config/live-config.ts'
import type { HttpServer } from './http-server.ts'
import type { Logger } from './log.ts'
import type { Resolve } from './http/names/name-resolver.ts'
import { Committer } from './poll/committer.ts'
import { ENDLESS_PATIENCE, type Patience } from './poll/requests/account-client.ts'
import type { Progress } from './poll/account-context.ts'
import { ringEndpoint } from './poll/ingest/update-record.ts'
import type { Readiness } from './serve/readiness.ts'
import { ChangeFeed } from './serve/stream/change-feed.ts'
import type { Store } from './store/ports/store.ts'
import { readVersion } from './version.ts'

export interface ServiceOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly random: () => number
  /** What holds the store's lock, for whoever is refused: "run", "once". */
  readonly command: string
  readonly progress: Progress
  /** What the demo adds to the admin interface; left out: this is none. */
  readonly demo?: ServedParts['demo']
  /** Waits for a database that is away until then; left out: it does not wait. */
  readonly waiting?: AbortSignal
  /** How much trouble a request waits out; left out: everything. */
  readonly patience?: Patience
  /** What finds the addresses of host names; default: the process's. */
  readonly resolve?: Resolve | undefined
}

/** Config → a wired service that holds the store's lock until it is disposed. */
export class Service implements AsyncDisposable {
  readonly #options: ServiceOptions
  readonly #resources: AsyncDisposableStack
  readonly #store: Store
  readonly #work: OpenedWork
  readonly #deliverer: Deliverer
  readonly #accounts: AccountSupervisor
  readonly #retention: Retention
  readonly #left: LeftAccounts
  readonly #settling: RowSettling
  readonly #indexing: SearchIndexing
  readonly #snapshots: SnapshotLoop
  readonly #feed: ChangeFeed
  readonly #telemetry: TelemetryHub
  readonly #follower: ConfigFollower
  readonly #stalls: StallWatch
  readonly #runtime: MadeAtRunTime
  /** Aborts when the service stops. */
  readonly #stopping = new AbortController()
  #following: Promise<void> = Promise.resolve()

  private constructor(options: ServiceOptions, parts: Parts) {
    this.#options = options
    this.#resources = parts.resources
    this.#store = parts.work.store
    this.#work = parts.work
    this.#deliverer = parts.deliverer
    this.#accounts = parts.accounts
    this.#feed = parts.feed
    this.#telemetry = parts.telemetry
    this.#snapshots = parts.snapshots
    this.#follower = parts.follower
    this.#stalls = parts.stalls
    this.#runtime = parts.runtime
    const { deliverer, work } = parts
    const { share, store } = work
    const freed = (): void => {
      parts.endpointWatch.forget()
      deliverer.wake()
    }
    share.listen({ changed: async () => this.#followShare(), freed })
    this.#retention = new Retention({ ...options, store, settings: () => options.live.config, onUntaken: freed })
    this.#left = new LeftAccounts({ ...options, store, accounts: () => options.live.config.accounts })
    this.#indexing = new SearchIndexing({ ...options, store })
    this.#settling = new RowSettling({ ...options, store, onSlice: () => deliverer.wake() })
  }

  /** Throws `store_locked`, `store_unusable`, `store_newer`; nothing is left open then. */
  static async open(options: ServiceOptions): Promise<Service> {
    await using opening = new AsyncDisposableStack()
    const { clock, log, patience = ENDLESS_PATIENCE } = options
    const feed = new ChangeFeed()
    const telemetry = new TelemetryHub(log)
    const stalls = new StallWatch(options)
    if (hasYoungRoom()) telemetry.add(opening.use(new YoungRoom(clock)))
    opening.use(await traceInto(telemetry, { clock, log, version: readVersion(), secrets: () => options.live.secrets }))
    const work = await openWork(options, opening)
    const { share, store } = work
    const ring: RingEndpoint = async (...rung) => await ringEndpoint(committer, ...rung)
    const endpointWatch = new EndpointWatch({ store, ring, clock, log })
    const snapshots = snapshotRuns(options, work, () => accounts)
    const runtime = new MadeAtRunTime({ ...options, work, telemetry, changed: () => deliverer.wake() })
    const sending = { work, feed, telemetry, watch: endpointWatch, progress: stalls.deliveries, runtime, snapshots }
    const deliverer = opening.use(serviceDeliverer(options, sending))
    await runtime.open()
    const lingering = new LingeringSubscriptions(clock)
    const letOthers = sharedTurns(clock)
    const committing = {
      clock,
      letOthers,
      subscriptions: () => lingering.with(options.live.config.subscriptions),
      onDeliveries: () => {
        deliverer.wake()
        feed.stored()
        work.ring()
      },
      telemetry,
      progressOf: (account: string) => stalls.writesOf(account),
    }
    const committer = new Committer({ ...committing, store })
    const follower = new ConfigFollower({ committer, clock, work, lingering })
    const opener = accountOpener({
      ...options,
      patience,
      committerOf: (account) => {
        const own = share.storeFor(account)
        return own === store ? committer : new Committer({ ...committing, store: own })
      },
      longestId: work.longestId,
      mayWrite: () => share.isTrusted(),
      letOthers,
      telemetry,
    })
    const accounts = opening.use(new AccountSupervisor(opener, clock))
    await accounts.follow(share.accounts())
    const parts = { work, deliverer, endpointWatch, accounts, feed, telemetry, follower, stalls, runtime, snapshots }
    return new Service(options, { ...parts, resources: opening.move() })
  }

  get store(): Store {
    return this.#store
  }

  /**
   * Puts another configuration in force: nothing is lost or repeated, attempts under way end, accounts that did not change
   * go on untouched. Returns the keys that take a restart. Throws `store_unusable`; then it is to be tried again.
   */
  async reload(config: Config): Promise<readonly string[]> {
    const { clock, live } = this.#options
    await live.prepare(config, turnTaking(clock))
    await this.#work.share.load(config)
    this.#follower.reloaded(live.file, config)
    const restart = live.replace(config)
    await this.#runtime.follower.look()
    await this.#followShare()
    this.#wake()
    return restart
  }

  /** Why a configuration cannot be put in force with this store, in one sentence; null: it can. Throws `store_unusable`. */
  async refusal(config: Config): Promise<string | null> {
    return (await this.#runtime.refusal(config))?.message ?? null
  }

  /**
   * Call it now and then: the store keeps how the files stand, and what a configuration left out may be discarded. Throws
   * `store_unusable`.
   */
  async follow(state: ConfigurationState): Promise<void> {
    await this.#follower.follow(state)
  }

  /** Polls the accounts that are this process's, one change after the other. */
  async #followShare(): Promise<void> {
    const followed = this.#following.then(async () => await this.#accounts.follow(this.#work.share.accounts()))
    this.#following = followed.catch(() => undefined)
    await followed
  }

  /** Polls and delivers until `signal` aborts, for as long as this process may. Throws `store_newer` or `store_moved` where it never may again. */
  async run(signal: AbortSignal): Promise<void> {
    const { outdated, share } = this.#work
    const stop = (): void => this.#stopping.abort()
    signal.addEventListener('abort', stop)
    const either = AbortSignal.any([signal, outdated])
    const watching = this.#stalls.run(() => this.#accounts.pollers, this.#work.sayStall, either)
    await share.during({ work: async (working) => this.#workOn(working), signal: either })
    await watching
    outdated.throwIfAborted()
  }

  async #workOn(signal: AbortSignal): Promise<void> {
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const loops = inTurns([
      async () => this.#accounts.run(either),
      async () => this.#deliverer.run(either),
      async () => this.#runtime.tender.follow(either),
      async () => this.#snapshots.run(either),
      async () => this.#work.share.keepingHouse({ work: async (keeping) => this.#keepHouse(keeping), signal: either }),
    ])
    try {
      await Promise.all(loops)
    } finally {
      failed.abort()
      await Promise.allSettled(loops)
    }
  }

  async #keepHouse(signal: AbortSignal): Promise<void> {
    const tending = { run: async () => this.#runtime.tender.tend(signal) }
    const kept = [this.#retention, this.#settling, this.#left, this.#indexing, tending]
    await Promise.all(inTurns(kept.map((each) => async () => each.run(signal))))
  }

  async once(signal: AbortSignal): Promise<OnceReport> {
    const passes = await Promise.all(
      this.#accounts.pollers.map(async (poller) => {
        const account = poller.account.name
        return (await poller.once(signal)).map((pass) => ({ account, ...pass }))
      }),
    )
    await this.deliver(signal)
    await this.#settling.finish(signal)
    await Promise.all([this.#retention.once(signal), this.#left.once(), this.#indexing.once(signal)])
    const endpoints = await this.#store.endpoints()
    const waiting = await this.#store.deferredRows(this.#options.clock.now())
    return { passes: passes.flat(), undelivered: undeliveredRows(endpoints) - waiting, waiting }
  }

  /** One attempt for each of these rows that is due; of all where they are left out, with what runs send of the accounts that are polled here. */
  async deliver(signal: AbortSignal, ids?: readonly string[]): Promise<void> {
    await this.#settling.finish(signal)
    if (ids === undefined) await this.#snapshots.settle(signal)
    await this.#deliverer.drain(signal, ids)
  }

  /** Starts the admin interface; null where the configuration has none. Throws `port_in_use`. */
  async serve(): Promise<HttpServer | null> {
    return await serveAdmin({
      ...this.#options,
      work: this.#work,
      feed: this.#feed,
      telemetry: this.#telemetry,
      resources: this.#resources,
      accounts: this.#accounts,
      configRejected: () => this.#follower.isRejected,
      readiness: async () => this.readiness(),
      wake: () => this.#wake(),
      runtime: this.#runtime,
      signal: this.#stopping.signal,
    })
  }

  /** Rows, endpoints or runs have changed. */
  #wake(): void {
    for (const loop of [this.#settling, this.#snapshots, this.#deliverer]) loop.wake()
  }

  /** Whether it does its work, as `/readyz` says. */
  async readiness(): Promise<Readiness> {
    return await askReadiness({ ...this.#options, work: this.#work, accounts: this.#accounts, stalls: this.#stalls })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#resources[Symbol.asyncDispose]()
  }
}

interface Parts {
  readonly resources: AsyncDisposableStack
  readonly work: OpenedWork
  readonly deliverer: Deliverer
  readonly endpointWatch: EndpointWatch
  readonly accounts: AccountSupervisor
  readonly feed: ChangeFeed
  readonly telemetry: TelemetryHub
  readonly follower: ConfigFollower
  readonly stalls: StallWatch
  readonly runtime: MadeAtRunTime
  readonly snapshots: SnapshotLoop
}
