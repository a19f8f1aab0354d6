import { ChurnTracker, type Churn, type ReadRound } from '../../detect/churn-tracker.ts'
import type { EventDraft } from '../../model/event.ts'
import { RECORD_OF, type Watchable } from '../../model/resource.ts'
import type { AccountContext } from '../account-context.ts'

export interface ChurnWatchOptions extends Pick<AccountContext, 'account' | 'committer' | 'log'> {
  readonly watch: Watchable
  /** Called when a path turns out to be churn: what was learnt from its changes is wrong. */
  readonly onChurn?: () => void
}

/** Paths beyond these are logged again after a restart. */
const MOST_REMEMBERED = 500

/** Logs each path that changes on most reads, once, with the line that ignores it. Its changes keep ringing. */
export class ChurnWatch {
  readonly #options: ChurnWatchOptions
  #tracker: ChurnTracker | null = null
  #churning: readonly string[] = []
  readonly #ids = new Set<string>()
  #round = 0

  constructor(options: ChurnWatchOptions) {
    this.#options = options
  }

  async notePage(page: ReadRound): Promise<void> {
    const tracker = (this.#tracker ??= await this.#load())
    const churning = tracker.note(page)
    if (churning.length === 0) return
    const { account, committer, watch } = this.#options
    const paths = [...this.#churning, ...churning.map(({ path }) => path)].slice(-MOST_REMEMBERED)
    this.#churning = paths
    for (const churn of churning) this.#report(churn)
    this.#options.onChurn?.()
    const resource = RECORD_OF[watch]
    await committer.commit(account.name, async () => ({ changes: [{ kind: 'churning', resource, paths }] }))
  }

  /** Whether any of the events shows more than churn. */
  haveNews(events: readonly EventDraft[]): boolean {
    const tracker = this.#tracker
    return tracker === null ? events.length > 0 : events.some((event) => tracker.isNews(event))
  }

  /** Items are read in turn: an item that comes again starts another round. */
  async noteItem(id: string, events: readonly EventDraft[]): Promise<void> {
    if (this.#ids.has(id)) {
      this.#ids.clear()
      this.#round += 1
    }
    this.#ids.add(id)
    await this.notePage({ round: this.#round, reads: 1, events })
  }

  async #load(): Promise<ChurnTracker> {
    const { account, committer, watch } = this.#options
    this.#churning = (await committer.store.listState(account.name, RECORD_OF[watch])).churning
    return this.#tracker ?? new ChurnTracker(this.#churning)
  }

  #report({ path, changed, reads }: Churn): void {
    const { account, log, watch } = this.#options
    const ignore = new Set([...(account.watch[watch]?.ignore ?? []), ...this.#churning])
    const line = {
      account: account.name,
      resource: watch,
      path,
      changed,
      reads,
      under: `accounts.${account.name}.watch.${watch}`,
      add: `ignore: [${[...ignore].map(yamlText).join(', ')}]`,
    }
    log.warn(line, 'poll.churning_path')
  }
}

/** JSON is YAML; a dollar would start a variable. */
function yamlText(pointer: string): string {
  return JSON.stringify(pointer).replaceAll('$', '$$$$')
}
