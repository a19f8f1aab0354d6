import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { ShipbellError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Subscription } from '../model/subscription.ts'
import type { Telemetry } from '../model/telemetry.ts'
import { opensAll, RuntimeFollower } from '../operate/runtime/runtime-follower.ts'
import { keyRefusal, RuntimeTender } from '../operate/runtime/runtime-tender.ts'
import type { OpenedWork } from './opened-work.ts'

export interface MadeAtRunTimeOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly work: Pick<OpenedWork, 'share' | 'store'>
  readonly telemetry: Pick<Telemetry, 'committed'>
  /** Called when other subscriptions are in force, or rows are to be sent. */
  readonly changed: () => void
}

/** The subscriptions that are made at run time, as this process follows them, and tends them where it is the one that does. */
export class MadeAtRunTime {
  readonly follower: RuntimeFollower
  readonly tender: RuntimeTender
  readonly #options: MadeAtRunTimeOptions
  #names: { readonly of: readonly Subscription[]; readonly file: readonly Subscription[] } | null = null

  constructor(options: MadeAtRunTimeOptions) {
    const { changed, clock, live, log, telemetry, work } = options
    const { share, store } = work
    this.#options = options
    this.follower = new RuntimeFollower({ live, store, clock, changed })
    this.tender = new RuntimeTender({
      live,
      store,
      clock,
      log,
      follower: this.follower,
      isInForce: () => share.isInForce,
      processes: () => share.processes,
      wake: changed,
      telemetry,
    })
  }

  /** Puts in force what is stored. Throws `config_invalid` where the key of the configuration does not open it. */
  async open(): Promise<void> {
    const refusal = await this.refusal(this.#options.live.file)
    if (refusal !== null) throw refusal
    await this.follower.look()
  }

  /** Why a configuration cannot be put in force; null: it can. Throws `store_unusable`. */
  async refusal({ file, runtimeSubscriptions }: Config): Promise<ShipbellError | null> {
    const { store } = this.#options.work
    if (runtimeSubscriptions === null) return null
    const survey = await store.runtimeSurvey()
    return survey === null || opensAll(runtimeSubscriptions, survey.subscriptions) ? null : keyRefusal(file)
  }

  /**
   * The subscriptions that may be sent to: while others work on the store, none that was made at run time is, where this process has not
   * seen for a while what they changed.
   */
  sendable(subscriptions: readonly Subscription[]): readonly Subscription[] {
    const { live, work } = this.#options
    if (work.share.processes === 1 || !this.follower.isStale) return subscriptions
    if (this.#names?.of !== subscriptions) {
      const names = new Set(live.file.subscriptions.map(({ name }) => name))
      this.#names = { of: subscriptions, file: subscriptions.filter(({ name }) => names.has(name)) }
    }
    return this.#names.file
  }
}
