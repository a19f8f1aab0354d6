import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Lease, LiveWorker, Unit, WorkerStore, WorkerSurvey } from '../../store/ports/worker-port.ts'
import { newestOf } from '../../operate/newest-worker.ts'
import { shareOf } from './fair-share.ts'
import type { Membership } from './membership.ts'
import { HOUSEKEEPING } from './units.ts'

export interface LeaseKeeperOptions {
  readonly store: Pick<WorkerStore, 'survey' | 'take' | 'giveBack' | 'forget' | 'settingsOf'>
  readonly clock: Clock
  readonly log: Logger
  readonly lookMs: number
  /** The units of the configuration that is in force. */
  readonly wanted: () => readonly Unit[]
  /** Told that other leases are held; resolves once what they allow has begun, and what others allowed has ended. */
  readonly changed: () => Promise<void>
  /** Workers may have died: what they had claimed is free. */
  readonly buried: () => Promise<void>
  /** The configuration of this worker is to be put in force. */
  readonly inForce: () => Promise<void>
  /** Leases were taken from workers that died. */
  readonly tookOver: (amount: number) => void
}

interface Held {
  readonly lease: Lease
  readonly ended: AbortController
}

/** The leases of one membership: takes what is free, up to a fair share, and gives up what is too much. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions
  readonly #membership: Membership
  readonly #held = new Map<string, Held>()
  readonly #looked = Promise.withResolvers<void>()
  #workers: readonly LiveWorker[] = []
  /** Whether this worker's subscriptions were made known, and are in force since. */
  #isKnown = false
  /** Whether claims of workers that died may be left: at the beginning whoever was to free them may have died, too. */
  #owesClaims = true
  /** The past of the database, as of the last look. */
  #past: string | null = null
  #newest: { readonly config: string; readonly settings: Readonly<Record<string, string>> } | null = null

  constructor(options: LeaseKeeperOptions, membership: Membership) {
    this.#options = options
    this.#membership = membership
  }

  leaseOf(unit: string): Lease | null {
    return this.#held.get(unit)?.lease ?? null
  }

  /** Aborts once the lease has ended; null: it is not held. */
  endOf(unit: string): AbortSignal | null {
    return this.#held.get(unit)?.ended.signal ?? null
  }

  /** Resolves once it is known what is in force, or the work has ended before that. */
  get looked(): Promise<void> {
    return this.#looked.promise
  }

  /** All that live, as of the last look. */
  get workers(): readonly LiveWorker[] {
    return this.#workers
  }

  /** The settings of subscriptions that are in force; null: those of this worker. */
  get settings(): Readonly<Record<string, string>> | null {
    return this.#newest?.settings ?? null
  }

  /** Whether the configuration of this worker was put in force, and is. */
  get isInForce(): boolean {
    return this.#isKnown
  }

  /**
   * Keeps leases until `signal` aborts; then nothing is held. What fails is tried again: the membership ends if that takes too
   * long.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, lookMs } = this.#options
    let hasFailed = false
    while (!signal.aborted) {
      try {
        await this.look(signal)
        this.#looked.resolve()
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.warn({ error: String(error), next: 'retry' }, 'worker.stalled')
        hasFailed = true
      }
      await clock.sleep(lookMs, signal)
    }
    this.#looked.resolve()
  }

  /** One look at who lives and what is free. */
  async look(signal: AbortSignal): Promise<void> {
    const survey = await this.#survey()
    const me = this.#membership.id
    if (!survey.workers.some(({ id }) => id === me)) return this.#membership.expired()
    const wanted = this.#options.wanted()
    await this.#drop([...this.#held.values()].flatMap(({ lease }) => (isHeld(survey, lease) ? [] : [lease.unit])))
    const own = survey.units.filter(({ unit, worker }) => worker === me && !this.#held.has(unit))
    await this.#hold(own.map(({ epoch, unit }) => ({ epoch, unit, past: survey.past })))
    const share = shareOf({ me, ...survey, wanted: wanted.map(({ unit }) => unit) })
    await this.#follow(survey, share.isCurrent)
    await this.#give(share.give)
    if (signal.aborted || !this.#membership.isTrusted()) return
    const chosen = new Set(share.take.units)
    const units = [{ unit: HOUSEKEEPING, accounts: [] }, ...wanted].filter(({ unit }) => chosen.has(unit))
    await this.#take(units, share.take.most)
    if (this.leaseOf(HOUSEKEEPING) !== null) await this.#forget(survey, wanted)
  }

  /** Takes whatever of these units is free, all at once. */
  async takeAll(units: readonly Unit[]): Promise<void> {
    const { workers } = await this.#survey()
    // Where no daemon lives, what this worker made known as it joined is in force.
    this.#isKnown = newestOf(workers) === undefined
    await this.#take(units, units.length)
  }

  /** Everything that was held has ended. */
  drop(): void {
    for (const { ended } of this.#held.values()) ended.abort()
    this.#held.clear()
  }

  async #survey(): Promise<WorkerSurvey> {
    const { buried, store } = this.#options
    const survey = await store.survey({ bury: true }).catch((error: unknown) => {
      // Whom it buried before it failed no later survey tells.
      this.#owesClaims = true
      throw error
    })
    this.#recall(survey)
    if (survey.buried.length > 0) this.#owesClaims = true
    if (this.#owesClaims) await buried()
    this.#owesClaims = false
    this.#workers = survey.workers
    return survey
  }

  /** What was made known to a database that went back may be unknown again, and so may be what was rung by it. */
  #recall({ past }: WorkerSurvey): void {
    if (this.#past !== null && this.#past !== past) {
      this.#isKnown = false
      this.#owesClaims = true
    }
    this.#past = past
  }

  /** What another worker's configuration says of subscriptions, while that is in force. */
  async #follow({ inForce, workers }: WorkerSurvey, isCurrent: boolean): Promise<void> {
    if (isCurrent) {
      this.#newest = null
      const isPut = this.#isKnown && inForce === this.#membership.known.loaded.config
      if (!isPut) await this.#options.inForce()
    } else {
      const newest = newestOf(workers)
      if (newest !== undefined && newest.config !== this.#newest?.config) {
        const next = 'it reads nothing, and sends for subscriptions that are the same in both, until it has that one'
        this.#options.log.warn(
          { worker: this.#membership.id, newest: newest.id, host: newest.host, next },
          'worker.outdated',
        )
        const settings = (await this.#options.store.settingsOf(newest.id)) ?? {}
        this.#newest = { config: newest.config, settings }
      }
    }
    this.#isKnown = isCurrent
  }

  async #take(units: readonly Unit[], most: number): Promise<void> {
    if (most === 0) return
    const taken = await this.#options.store.take(this.#membership.id, { units, most })
    if (taken.length === 0) return
    const takenOver = taken.filter(({ isTakeover }) => isTakeover).length
    if (takenOver > 0) this.#options.tookOver(takenOver)
    await this.#hold(taken)
    this.#tell({ taken: taken.length, taken_over: takenOver })
  }

  /** Holds units anew, those too that were taken or were to be given up while the answer did not come. */
  async #hold(units: readonly Omit<Lease, 'worker'>[]): Promise<void> {
    const worker = this.#membership.id
    for (const { epoch, past, unit } of units)
      this.#held.set(unit, { lease: { unit, worker, epoch, past }, ended: new AbortController() })
    if (units.length > 0) await this.#options.changed()
  }

  async #give(units: readonly string[]): Promise<void> {
    const given = await this.#drop(units)
    await this.#options.store.giveBack(given)
    if (given.length > 0) this.#tell({ given: given.length })
  }

  async #drop(units: readonly string[]): Promise<readonly Lease[]> {
    const dropped = units.flatMap((unit) => this.#held.get(unit) ?? [])
    for (const { ended, lease } of dropped) {
      this.#held.delete(lease.unit)
      ended.abort()
    }
    if (dropped.length > 0) await this.#options.changed()
    return dropped.map(({ lease }) => lease)
  }

  /** Units of keys that are not configured any more. */
  async #forget({ units }: WorkerSurvey, wanted: readonly Unit[]): Promise<void> {
    const known = new Set([HOUSEKEEPING, ...wanted.map(({ unit }) => unit)])
    const stale = units.filter(({ unit, worker }) => worker === null && !known.has(unit)).map(({ unit }) => unit)
    if (stale.length > 0) await this.#options.store.forget(stale)
  }

  #tell(moved: object): void {
    const { log } = this.#options
    log.info(
      { worker: this.#membership.id, ...moved, held: this.#held.size, workers: this.#workers.length },
      'worker.leases',
    )
  }
}

/**
 * Whether a lease is still held. In a database that went back what was read under it may be gone, and the lease too: it begins
 * anew.
 */
function isHeld({ past, units }: WorkerSurvey, lease: Lease): boolean {
  const found = units.find(({ unit }) => unit === lease.unit)
  return past === lease.past && found?.worker === lease.worker && found.epoch === lease.epoch
}
