import { ChurnTracker, type Churn, type ReadRound } from '../detect/churn-tracker.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { EventDraft } from '../model/event.ts'
import type { Watchable } from '../model/resource.ts'

export interface ChurnWatchOptions {
  readonly account: AccountSettings
  readonly watch: Watchable
  readonly log: Logger
}

/** Says of each path that changes on most reads, once in the life of the process, how to ignore it; it keeps ringing. */
export class ChurnWatch {
  readonly #options: ChurnWatchOptions
  readonly #tracker = new ChurnTracker()
  readonly #churning: string[] = []
  readonly #ids = new Set<string>()
  #round = 0

  constructor(options: ChurnWatchOptions) {
    this.#options = options
  }

  notePage(page: ReadRound): void {
    for (const churn of this.#tracker.note(page)) this.#tell(churn)
  }

  /** Items are read in turn: one that comes again starts another round. */
  noteItem(id: string, events: readonly EventDraft[]): void {
    if (this.#ids.has(id)) {
      this.#ids.clear()
      this.#round += 1
    }
    this.#ids.add(id)
    this.notePage({ round: this.#round, reads: 1, events })
  }

  #tell({ path, changed, reads }: Churn): void {
    const { account, log, watch } = this.#options
    this.#churning.push(path)
    const ignore = [...(account.watch[watch]?.ignore ?? []), ...this.#churning]
    const line = {
      account: account.name,
      resource: watch,
      path,
      changed,
      reads,
      under: `accounts.${account.name}.watch.${watch}`,
      add: `ignore: [${ignore.map(yamlText).join(', ')}]`,
    }
    log.warn(line, 'poll.churning_path')
  }
}

/** JSON is YAML; a dollar would start a variable. */
function yamlText(pointer: string): string {
  return JSON.stringify(pointer).replaceAll('$', '$$$$')
}
