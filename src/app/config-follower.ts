import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { ConfigurationState } from '../model/configuration-state.ts'
import type { Subscription } from '../model/subscription.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import { ConfigReport, type ConfigReportDeps } from './config-report.ts'
import type { OpenedWork } from './opened-work.ts'

interface ConfigFollowerDeps extends Pick<ConfigReportDeps, 'committer' | 'clock'> {
  readonly work: Pick<OpenedWork, 'isBegunAnew' | 'share' | 'store'>
  readonly lingering: LingeringSubscriptions
}

/** What is kept of configurations beside the one in force: what is wrong with the files, and what a reload left out. */
export class ConfigFollower {
  #report: ConfigReport | null = null
  readonly #deps: ConfigFollowerDeps

  constructor(deps: ConfigFollowerDeps) {
    this.#deps = deps
  }

  get isRejected(): boolean {
    return this.#report?.isRejected === true
  }

  /** Another configuration is put in force. */
  reloaded(before: Config, after: Config): void {
    this.#deps.lingering.follow(before.subscriptions, after.subscriptions)
  }

  /** Call it now and then. Throws `store_unusable`. */
  async follow(state: ConfigurationState): Promise<void> {
    const { isBegunAnew = false, share, store } = this.#deps.work
    const owner = (): string => share.owner
    this.#report ??= new ConfigReport({ ...this.#deps, owner, workers: store.workers, isBegunAnew })
    await this.#report.tell(state)
    await this.#deps.lingering.look(this.#deps.work.store)
  }
}

/** How long a subscription that is missing from the file goes on getting rows, which are held. */
const LINGER_MS = 600_000

/**
 * Subscriptions that a reload left out. Whoever writes a file in pieces, or moves customers from one file to another, leaves some out for
 * a moment: what rings meanwhile is held for them, and is sent once they are back. After ten minutes, or a `discard`, they get nothing.
 */
export class LingeringSubscriptions {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #until = new Map<string, { readonly subscription: Subscription; readonly at: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Another configuration is in force. */
  follow(before: readonly Subscription[], after: readonly Subscription[]): void {
    const names = new Set(after.map(({ name }) => name))
    for (const name of names) this.#until.delete(name)
    const at = this.#clock.monotonic() + LINGER_MS
    for (const subscription of before)
      if (!names.has(subscription.name)) this.#until.set(subscription.name, { subscription, at })
  }

  /** Whoever gets rows: the subscriptions of the configuration, and those that linger. */
  with(configured: readonly Subscription[]): readonly Subscription[] {
    if (this.#until.size === 0) return configured
    const now = this.#clock.monotonic()
    for (const [name, { at }] of this.#until) if (at <= now) this.#until.delete(name)
    return [...configured, ...[...this.#until.values()].map(({ subscription }) => subscription)]
  }

  /** Subscriptions that were discarded meanwhile, by whichever process, linger no more. Throws `store_unusable`. */
  async look(store: Pick<QueryStore, 'endpoints'>): Promise<void> {
    if (this.#until.size === 0) return
    for (const { configured, enabled, subscription } of await store.endpoints())
      if (!configured && !enabled) this.#until.delete(subscription)
  }
}
