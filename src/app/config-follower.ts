import type { Config } from '../config/config.ts'
import type { ConfigurationState } from '../model/configuration-state.ts'
import { ConfigReport, type ConfigReportDeps } from './config-report.ts'
import type { OpenedWork } from './opened-work.ts'
import type { LingeringSubscriptions } from './lingering-subscriptions.ts'

interface ConfigFollowerDeps extends Pick<ConfigReportDeps, 'committer' | 'clock'> {
  readonly work: Pick<OpenedWork, 'isBegunAnew' | 'share' | 'store'>
  readonly lingering: LingeringSubscriptions
}

/** What is kept of configurations beside the one in force: what is wrong with the files, and what a reload left out. */
export class ConfigFollower {
  readonly #report: ConfigReport
  readonly #deps: ConfigFollowerDeps

  constructor(deps: ConfigFollowerDeps) {
    const { isBegunAnew = false, share, store } = deps.work
    const owner = (): string => share.owner
    this.#report = new ConfigReport({ ...deps, owner, workers: store.workers, isBegunAnew })
    this.#deps = deps
  }

  get isRejected(): boolean {
    return this.#report.isRejected
  }

  /** Another configuration is put in force. */
  reloaded(before: Config, after: Config): void {
    this.#deps.lingering.follow(before.subscriptions, after.subscriptions)
  }

  /** Call it now and then. Throws `store_unusable`. */
  async follow(state: ConfigurationState): Promise<void> {
    await this.#report.tell(state)
    await this.#deps.lingering.look(this.#deps.work.store)
  }
}
