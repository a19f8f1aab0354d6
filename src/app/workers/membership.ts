import { randomUUID } from 'node:crypto'
import { ownClock, type Clock } from '../../clock.ts'
import { ShipbellError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Joined, NewWorker, WorkerFacts, WorkerStore } from '../../store/ports/worker-port.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { LeaseTrust, markNow } from './lease-trust.ts'

export interface Timing {
  /** How long a worker lives on after it was renewed, by the database's clock. */
  readonly ttlMs: number
  /** How long a worker itself trusts its leases: less than others do. */
  readonly trustMs: number
  readonly renewMs: number
  /** How often a worker looks what there is to take and to give. */
  readonly lookMs: number
}

export const TIMING: Timing = { ttlMs: 15_000, trustMs: 12_000, renewMs: 5_000, lookMs: 1_000 }

/** After a renewal that failed. */
const AGAIN_MS = 1_000

/** What a process is and does not change. */
type ProcessFacts = Pick<WorkerFacts, 'host' | 'pid' | 'command' | 'version'>

export type LoadedConfig = Pick<NewWorker, 'config' | 'settings'>

export interface MembershipOptions {
  readonly store: Pick<WorkerStore, 'join' | 'renew' | 'leave'>
  readonly clock: Clock
  readonly log: Logger
  readonly timing: Timing
  readonly facts: ProcessFacts
  /** Told what the clock of the database showed between two instants of the monotonic clock. Left out: nobody is. */
  readonly timed?: (shown: number, between: readonly [number, number]) => void
}

/** What a membership goes on with that was lost. */
export interface Known {
  readonly loaded: LoadedConfig
  /** When the configuration was loaded; null: now. */
  readonly loadedAt: number | null
  readonly port: number | null
  readonly stalled?: string | null
}

/** The life of one worker under one id: it is renewed until it is lost, or left. What was lost never comes back. */
export class Membership implements AsyncDisposable {
  readonly id: string
  readonly #options: MembershipOptions
  readonly #trust: LeaseTrust
  readonly #lost = new AbortController()
  readonly #left = new AbortController()
  readonly #wake = new WakeSignal()
  readonly #renewing: Promise<void>
  #known: Known
  #alarm: Disposable | null = null

  private constructor(id: string, options: MembershipOptions, { known, trust }: { known: Known; trust: LeaseTrust }) {
    this.id = id
    this.#options = options
    this.#known = known
    this.#trust = trust
    this.#watchTrust()
    this.#renewing = this.#renewOn()
  }

  /** Throws `store_unusable`. */
  static async join(options: MembershipOptions, known: Known): Promise<Membership> {
    const { clock, facts, store, timing } = options
    const id = randomUUID()
    const since = markNow(ownClock(clock))
    const joined = await store.join({ id, ...facts, ...known, ...known.loaded }, timing.ttlMs)
    tell(options, since.monotonic, joined)
    const trust = new LeaseTrust(ownClock(clock), timing.trustMs, since)
    return new Membership(id, options, { known: { ...known, loadedAt: joined.loadedAt }, trust })
  }

  /** Aborts once the worker may have expired. Nothing that it alone was to do may go on. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  get known(): Known {
    return this.#known
  }

  /** Whether nobody else can do by now what this worker alone may do. To be asked in the turn in which it is done. */
  isTrusted(): boolean {
    if (this.#lost.signal.aborted) return false
    if (this.#trust.isWhole) return true
    this.#lose('it could not be renewed in time')
    return false
  }

  /** A look has found that the worker is not among those who live. */
  expired(): void {
    this.#lose('it had expired')
  }

  /** Tells others of another configuration. Throws `store_unusable`. */
  async load(loaded: LoadedConfig): Promise<void> {
    await this.#renew(loaded)
  }

  /** The admin interface has a port: others hear of it soon. */
  serves(port: number): void {
    this.#known = { ...this.#known, port }
    this.#wake.notify()
  }

  /** The work of this process stalls, or (null) goes on: others see it soon. */
  stalls(problem: string | null): void {
    this.#known = { ...this.#known, stalled: problem }
    this.#wake.notify()
  }

  async #renewOn(): Promise<void> {
    const over = AbortSignal.any([this.#lost.signal, this.#left.signal])
    let pauseMs = this.#options.timing.renewMs
    while (!over.aborted) {
      await this.#wake.wait(this.#options.clock, pauseMs, over)
      if (over.aborted) return
      const isRenewed = await this.#renew().then(
        () => true,
        () => false,
      )
      pauseMs = isRenewed ? this.#options.timing.renewMs : Math.min(AGAIN_MS, this.#options.timing.renewMs)
    }
  }

  /** What fails is tried again, until the trust has ended. */
  async #renew(loaded?: LoadedConfig): Promise<void> {
    const { clock, store, timing } = this.#options
    const since = markNow(ownClock(clock))
    const { port, stalled = null } = this.#known
    const renewal = { id: this.id, port, stalled, ...(loaded && { loaded }) }
    const renewed = await store.renew(renewal, timing.ttlMs)
    if (renewed === null) {
      this.expired()
      if (loaded !== undefined) throw new ShipbellError('lease_lost', 'This worker has expired: it joins anew.')
      return
    }
    tell(this.#options, since.monotonic, renewed)
    this.#known = { ...this.#known, loadedAt: renewed.loadedAt, loaded: loaded ?? this.#known.loaded }
    if (!this.isTrusted()) return
    this.#trust.renewed(since)
    this.#watchTrust()
  }

  /** A renewal that ends after the worker has left sets no alarm: the process would wait for it. */
  #watchTrust(): void {
    this.#alarm?.[Symbol.dispose]()
    if (this.#left.signal.aborted) return
    this.#alarm = this.#options.clock.after(Math.max(0, this.#trust.leftMs), () => {
      if (this.isTrusted()) this.#watchTrust()
    })
  }

  #lose(reason: string): void {
    if (this.#lost.signal.aborted || this.#left.signal.aborted) return
    const next = 'nothing is read or sent until it has joined anew'
    this.#options.log.error({ worker: this.id, reason, next }, 'worker.lost')
    this.#lost.abort()
  }

  /** Everything that it alone was to do has ended. Others go on at once. Never throws: what is not left expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort()
    this.#alarm?.[Symbol.dispose]()
    await this.#renewing
    await this.#options.store.leave(this.id).catch(() => undefined)
  }
}

function tell({ clock, timed }: MembershipOptions, askedAt: number, { now }: Joined): void {
  timed?.(now, [askedAt, clock.monotonic()])
}
