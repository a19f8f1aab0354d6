import { RECORD_OF } from '../model/resource.ts'
import type { ListState } from '../store/list-state.ts'
import { readExtraPage, type ExtraPage, type ExtraPageRequest, type Replaced } from './extra-page.ts'
import type { ListOptions } from './list-options.ts'
import { ListPass } from './list-pass.ts'
import { PageReader } from './page-reader.ts'

export interface PassReport {
  readonly complete: boolean
  /** Why it is not complete, for people; null when it is. */
  readonly reason: string | null
  /** Whether to read it again would show more: not so of old copies from a cache. */
  readonly isCutShort: boolean
  readonly events: number
  /** Records never seen before, or changed. */
  readonly changed: number
}

/** Reads one list again and again, each pass from its first page to its end. */
export class ListPoller {
  readonly #options: ListOptions
  readonly #reader: PageReader
  /** When the last complete pass of this process started that kept nothing back. */
  #completeFrom: number | null = null
  readonly #replaced: Replaced = new Map()

  constructor(options: ListOptions) {
    this.#options = options
    this.#reader = new PageReader(options)
  }

  get watch(): ListOptions['watch'] {
    return this.#options.watch
  }

  async pass(signal: AbortSignal): Promise<PassReport> {
    const { account, clock, committer, watch } = this.#options
    const startedAt = clock.now()
    this.#replaced.clear()
    const absentAt = this.#completeFrom ?? (await this.#lastCompleteFrom())
    const state = await committer.store.startPass(account.name, RECORD_OF[watch], startedAt)
    const known = await committer.store.amountKnown(account.name, RECORD_OF[watch])
    const hold = await committer.store.hold(account.name, RECORD_OF[watch])
    const pass = new ListPass({ ...this.#options, reader: this.#reader }, { state, absentAt, known, hold })
    const reason = await pass.run(signal)
    if (reason === null && pass.withheld === 0) this.#completeFrom = startedAt
    this.#log(pass, { reason, startedAt })
    const isCutShort = reason !== null && pass.flaw === null
    return { complete: reason === null, reason, isCutShort, events: pass.events, changed: pass.changed }
  }

  /** One page between passes, or beside one: it may add and change records, and counts for no pass. */
  async readExtraPage(request: Omit<ExtraPageRequest, 'absentAt' | 'replaced'>): Promise<ExtraPage> {
    const absentAt = this.#completeFrom ?? (await this.#lastCompleteFrom())
    return readExtraPage({ ...this.#options, reader: this.#reader }, { ...request, absentAt, replaced: this.#replaced })
  }

  /** As far as the store knows: null where the last pass was cut short, or may have shown what it did not write. */
  async #lastCompleteFrom(): Promise<number | null> {
    const { account, committer, watch } = this.#options
    const prior = await committer.store.listState(account.name, RECORD_OF[watch])
    const hold = await committer.store.hold(account.name, RECORD_OF[watch])
    return isComplete(prior) && hold === null ? prior.passStartedAt : null
  }

  #log(pass: ListPass, end: { reason: string | null; startedAt: number }): void {
    const { account, clock, log, watch } = this.#options
    const line = {
      account: account.name,
      resource: watch,
      complete: end.reason === null,
      pages: pass.pages,
      rows: pass.rows,
      rejected: pass.rejected,
      changed: pass.changed,
      removed: pass.removed,
      held: pass.held,
      events: pass.events,
      duration_ms: clock.now() - end.startedAt,
    }
    if (end.reason === null) log.info(line, 'poll.completed')
    else log.warn({ ...line, reason: end.reason }, 'poll.completed')
  }
}

/** Whether the last pass reached the list's end. */
function isComplete(state: ListState): boolean {
  return state.completedAt !== null && state.passStartedAt !== null && state.completedAt >= state.passStartedAt
}
