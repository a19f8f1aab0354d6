import type { Config } from '../config/config.ts'
import type { ConfigurationState } from '../model/configuration-state.ts'
import type { QueryStore } from '../store/query-port.ts'
import { ConfigReport, type ConfigReportDeps } from './config-report.ts'
import type { LingeringSubscriptions } from './lingering-subscriptions.ts'

interface ConfigFollowerDeps extends ConfigReportDeps {
  readonly lingering: LingeringSubscriptions
  readonly store: Pick<QueryStore, 'endpoints'>
}

/** What is kept of configurations beside the one in force: what is wrong with the files, and what a reload left out. */
export class ConfigFollower {
  readonly #report: ConfigReport
  readonly #deps: ConfigFollowerDeps

  constructor(deps: ConfigFollowerDeps) {
    this.#report = new ConfigReport(deps)
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
    await this.#deps.lingering.look(this.#deps.store)
  }
}
