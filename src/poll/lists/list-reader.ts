import { RECORD_OF } from '../../model/resource.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import type { ListContext } from '../poll-context.ts'
import { ListPass } from './list-pass.ts'
import type { PageShown } from './page-of-rows.ts'
import { PageReader } from './page-reader.ts'
import { notePassEnd, type PassReport } from './pass-end.ts'
import { applyBeside, readSparePage, type Replaced, type SparePage, type SparePageRequest } from './spare-page.ts'
import type { FailedProofs } from './unproved.ts'

/** Reads one list again and again: in passes from its first page to its end, and single pages between them. */
export class ListReader {
  readonly #context: ListContext
  readonly #pages: PageReader
  /** When the last complete pass of this process started that withheld no row. */
  #completeFrom: number | null = null
  readonly #replaced: Replaced = new Map()
  readonly #failedProofs: FailedProofs = new Map()
  #isRunning = false
  /** Rows by which it was seen whether the list answers, for the pass that runs. */
  readonly #beside: PageShown[] = []

  constructor(context: ListContext) {
    this.#context = context
    this.#pages = new PageReader(context)
  }

  get watch(): ListContext['watch'] {
    return this.#context.watch
  }

  /** When the last complete pass of this process started; null: none yet. */
  get completeFrom(): number | null {
    return this.#completeFrom
  }

  async pass(signal: AbortSignal): Promise<PassReport> {
    const { account, clock, committer, watch } = this.#context
    const { store } = committer
    const resource = RECORD_OF[watch]
    const startedAt = clock.now()
    this.#replaced.clear()
    await this.#applyLeft()
    const absentAt = await this.#absentAt()
    const state = await committer.writeBeside(account.name, async () =>
      store.startPass(account.name, resource, startedAt),
    )
    const { hold } = await store.doubts(account.name, resource)
    const pass = new ListPass(
      this.#context,
      { pages: this.#pages, beside: this.#beside },
      {
        state,
        absentAt,
        known: state.records,
        hold,
        failedProofs: this.#failedProofs,
        signal,
      },
    )
    this.#isRunning = true
    const report = await pass.run().finally(() => (this.#isRunning = false))
    await this.#applyLeft()
    await notePassEnd(this.#context, report, pass.rows.state.gaps)
    if (report.reason === null && report.withheld === 0) this.#completeFrom = startedAt
    this.#log(report, startedAt)
    return report
  }

  /** One page between passes, or beside one: it may add and change records, and counts for no pass. */
  async readSparePage(request: Pick<SparePageRequest, 'skip' | 'why' | 'signal'>): Promise<SparePage> {
    const absentAt = await this.#absentAt()
    return readSparePage(this.#context, this.#pages, { ...request, absentAt, replaced: this.#replaced })
  }

  /** Takes rows by which it was seen whether the list answers: a pass that runs does before it reads on, or ends. */
  async takeBeside(shown: PageShown): Promise<void> {
    if (this.#isRunning) this.#beside.push(shown)
    else await this.#applyBeside(shown)
  }

  /** Applies what a pass that is over has not taken. */
  async #applyLeft(): Promise<void> {
    for (const shown of this.#beside.splice(0)) await this.#applyBeside(shown)
  }

  async #applyBeside(shown: PageShown): Promise<void> {
    await applyBeside(this.#context, shown, { absentAt: await this.#absentAt(), replaced: this.#replaced })
  }

  /**
   * When the last complete pass started. For a pass of an earlier process the store decides: null where that pass was cut short,
   * or may have withheld rows.
   */
  async #absentAt(): Promise<number | null> {
    if (this.#completeFrom !== null) return this.#completeFrom
    const { account, committer, watch } = this.#context
    const prior = await committer.store.listState(account.name, RECORD_OF[watch])
    const { hold } = await committer.store.doubts(account.name, RECORD_OF[watch])
    return isComplete(prior) && hold === null ? prior.passStartedAt : null
  }

  #log({ reason, pages, rows, rejected, changed, removed, held, events }: PassReport, startedAt: number): void {
    const { account, clock, log, watch } = this.#context
    const counts = { pages, rows, rejected, changed, removed, held, events, duration_ms: clock.now() - startedAt }
    const line = { account: account.name, resource: watch, complete: reason === null, ...counts }
    if (reason === null) log.info(line, 'poll.completed')
    else log.warn({ ...line, reason }, 'poll.completed')
  }
}

/** Whether the last pass reached the list's end. */
function isComplete(state: ListState): boolean {
  return state.completedAt !== null && state.passStartedAt !== null && state.completedAt >= state.passStartedAt
}
