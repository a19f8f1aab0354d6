import type { LiveConfig } from '../../config/live-config.ts'
import type { Config } from '../../config/config.ts'
import { ShipbellError } from '../../errors.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { PollStore } from '../../store/ports/store.ts'
import type { LiveWorker, SharedStore } from '../../store/ports/worker-port.ts'
import { configDigest, MADE_AT_RUN_TIME, settingsDigests } from './config-digest.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { Membership, TIMING, type Known, type LoadedConfig, type MembershipOptions, type Timing } from './membership.ts'
import { HOUSEKEEPING, unitOf, unitsOf } from './units.ts'
import type { ShareCounts, ShareListener, Work, WorkShare } from './work-share.ts'

export interface WorkerOptions extends Omit<MembershipOptions, 'store' | 'timing'> {
  readonly store: SharedStore
  readonly live: LiveConfig
  readonly timing?: Timing
}

const NOBODY: ShareListener = { changed: async () => undefined, freed: () => undefined }

/** A process that shares the work on a store with others: one membership after the other. */
export class Worker implements WorkShare, AsyncDisposable {
  readonly #options: WorkerOptions & { readonly timing: Timing }
  #listener = NOBODY
  #membership: Membership
  #keeper: LeaseKeeper
  #takeovers = 0
  #hasLeft = false
  /** The configuration that others were told of last. */
  #loaded: Config
  #digests: { readonly of: Config; readonly settings: Readonly<Record<string, string>> } | null = null

  private constructor(options: WorkerOptions & { readonly timing: Timing }, membership: Membership) {
    this.#options = options
    this.#loaded = options.live.file
    this.#membership = membership
    this.#keeper = this.#keeperOf(membership)
  }

  /** Throws `store_unusable`. */
  static async join(given: WorkerOptions): Promise<Worker> {
    const options = { ...given, timing: given.timing ?? TIMING }
    const known = { loaded: loadedOf(options.live.file), loadedAt: null, port: null }
    await using opening = new AsyncDisposableStack()
    const worker = new Worker(options, opening.use(await joined(options, known)))
    if (options.facts.command !== 'run') await worker.#introduce()
    opening.move()
    return worker
  }

  listen(listener: ShareListener): void {
    this.#listener = listener
  }

  get owner(): string {
    return this.#membership.id
  }

  /** All that live, as of a moment ago. */
  get others(): readonly LiveWorker[] {
    return this.#keeper.workers.filter(({ id }) => id !== this.owner)
  }

  get isInForce(): boolean {
    return this.#keeper.isInForce
  }

  get processes(): number {
    return 1 + this.others.filter(({ command }) => command === 'run').length
  }

  get counts(): ShareCounts {
    return { id: this.owner, leases: unitsOf(this.accounts()).length, takeovers: this.#takeovers }
  }

  /** Rows may be due: another worker has committed some, or the database was away for a while. */
  look(): void {
    this.#listener.freed()
  }

  isTrusted(): boolean {
    return this.#membership.isTrusted()
  }

  accounts(): readonly AccountSettings[] {
    const { accounts } = this.#options.live.config
    return accounts.filter((account) => this.#keeper.leaseOf(unitOf(account)) !== null)
  }

  subscriptions(): readonly Subscription[] {
    const { config, file } = this.#options.live
    const { settings } = this.#keeper
    if (settings === null) return config.subscriptions
    if (this.#digests?.of !== file) this.#digests = { of: file, settings: settingsDigests(file) }
    const own = this.#digests.settings
    const isSame = (name: string): boolean => settings[name] === own[name]
    return config.subscriptions.filter(({ name }) => isSame(Object.hasOwn(own, name) ? name : MADE_AT_RUN_TIME))
  }

  /**
   * The store for an account whose lease is held: what is read of the account is written while it is held, and not after that.
   */
  storeFor(account: AccountSettings): PollStore {
    const lease = this.#keeper.leaseOf(unitOf(account))
    if (lease === null) throw new ShipbellError('internal', `The account ${account.name} is polled without its lease.`)
    return this.#options.store.workers.under(lease)
  }

  /** Makes known which configuration this process loaded: as the last one, it is what others give way to. */
  async load(config: Config): Promise<void> {
    this.#loaded = config
    await this.#membership.load(loadedOf(config))
    await this.#putInForce()
  }

  /** Lets others see that the work of this process stalls, or (null) goes on. */
  stalls(problem: string | null): void {
    this.#membership.stalls(problem)
  }

  /** Lets others find the admin interface of this process at a port. */
  serves(port: number): void {
    this.#membership.serves(port)
  }

  /** Takes every account that is configured. Throws `store_locked`, naming who has one. */
  async takeAll(): Promise<void> {
    const units = unitsOf(this.#options.live.config.accounts)
    await this.#keeper.takeAll(units)
    if (units.every(({ unit }) => this.#keeper.leaseOf(unit) !== null)) return
    const others = this.others.map(({ host, pid }) => `process ${pid} on ${host}`).join(', ')
    const who = others === '' ? 'A worker that has just ended' : `Others (${others})`
    throw new ShipbellError('store_locked', `${who} poll accounts of this store: stop them first, or let them do it.`)
  }

  /** Works, and joins anew whenever it was lost, until `signal` aborts; then others go on at once. */
  async during({ signal, work }: Work): Promise<void> {
    while (!signal.aborted) {
      if (this.#membership.lost.aborted) await this.#joinAnew(signal)
      await this.#workOnce({ signal, work })
    }
    await this[Symbol.asyncDispose]()
  }

  async keepingHouse({ signal, work }: Work): Promise<void> {
    const { clock, timing } = this.#options
    while (!signal.aborted) {
      const end = this.#keeper.endOf(HOUSEKEEPING)
      if (end === null) await clock.sleep(timing.lookMs, signal)
      else await work(AbortSignal.any([signal, end]))
    }
  }

  async #workOnce({ signal, work }: Work): Promise<void> {
    const over = new AbortController()
    const working = AbortSignal.any([signal, this.#membership.lost, over.signal])
    const keeper = this.#keeper
    try {
      await Promise.all([keeper.run(working), keeper.looked.then(async () => working.aborted || work(working))])
    } finally {
      over.abort()
      keeper.drop()
      await this.#listener.changed()
    }
  }

  async #joinAnew(signal: AbortSignal): Promise<void> {
    const { clock, timing } = this.#options
    const { known } = this.#membership
    // All that it did has ended, and it need not wait until it expires.
    await this.#membership[Symbol.asyncDispose]()
    while (!signal.aborted) {
      try {
        this.#membership = await joined(this.#options, known)
        this.#keeper = this.#keeperOf(this.#membership)
        return
      } catch {
        await clock.sleep(timing.lookMs, signal)
      }
    }
  }

  #keeperOf(membership: Membership): LeaseKeeper {
    const { clock, live, log, store, timing } = this.#options
    return new LeaseKeeper(
      {
        store: store.workers,
        clock,
        log,
        lookMs: timing.lookMs,
        wanted: () => unitsOf(live.config.accounts),
        changed: async () => this.#listener.changed(),
        buried: async () => this.#freeClaims(),
        inForce: async () => await this.#putInForce(),
        tookOver: (amount) => (this.#takeovers += amount),
      },
      membership,
    )
  }

  /** What only passes by makes its subscriptions known where nobody else does. */
  async #introduce(): Promise<void> {
    const { workers } = await this.#options.store.workers.survey()
    if (workers.every(({ command }) => command !== 'run')) await this.#putInForce()
  }

  async #putInForce(): Promise<void> {
    const { clock, store } = this.#options
    await store.syncSubscriptions(this.#loaded.subscriptions, clock.now(), configDigest(this.#loaded))
    this.#listener.freed()
  }

  async #freeClaims(): Promise<void> {
    const { clock, store } = this.#options
    const { aheadMs } = (await store.waits()).steady
    await store.recoverClaims({ alive: 'workers', now: clock.now() + aheadMs })
    this.#listener.freed()
  }

  /** Gives others at once what this worker held and had claimed. Never throws: what cannot be given back expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasLeft) return
    this.#hasLeft = true
    await this.#membership[Symbol.asyncDispose]()
    await this.#freeClaims().catch(() => undefined)
  }
}

async function joined(options: WorkerOptions & { readonly timing: Timing }, known: Known): Promise<Membership> {
  const membership = await Membership.join({ ...options, store: options.store.workers }, known)
  options.log.info({ worker: membership.id, command: options.facts.command }, 'worker.joined')
  return membership
}

function loadedOf(config: Config): LoadedConfig {
  return { config: configDigest(config), settings: settingsDigests(config) }
}
