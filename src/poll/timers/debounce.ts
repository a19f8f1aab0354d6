import { detectSettled } from '../../detect/detect-change.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { DueRecord } from '../../store/ports/record-port.ts'
import type { AccountContext } from '../account-context.ts'
import { recordFacts, summaryOf } from '../ingest/record-facts.ts'
import { updateRecord } from '../ingest/update-record.ts'
import { timerPauseMs } from './timer-pause.ts'

/** Rings the estimates that have waited for as long as `settle` says, whether or not a read comes. */
export class Debounce {
  readonly #context: AccountContext
  /** The clock at the last round; null before the first. */
  #lookedAt: number | null = null

  constructor(context: AccountContext) {
    this.#context = context
  }

  /** Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    const { account, clock, committer, log } = this.#context
    const startedAt = clock.now()
    const due = await committer.store.settling.due(account.name, { until: this.#until(startedAt) })
    let rang = 0
    for (const record of due) {
      if (signal.aborted) return rang
      rang += await this.#ring(record)
    }
    this.#lookedAt = startedAt
    const line = { account: account.name, events: rang, duration_ms: clock.now() - startedAt }
    if (rang > 0) log.info(line, 'settle.rang')
    return rang
  }

  /**
   * Before the first round all that wait are looked at, because `settle` may have become shorter. So they are where the clock was
   * set back, because their wait began at an instant that lies ahead.
   */
  #until(now: number): number {
    return this.#lookedAt === null || now < this.#lookedAt ? Number.MAX_SAFE_INTEGER : now
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    const { account, clock, committer } = this.#context
    const [next] = await committer.store.settling.due(account.name, { most: 1 })
    const settlesAgain = account.settleMs === 0 ? [] : [account.settleMs]
    return timerPauseMs(this.#context, [...settlesAgain, (next?.at ?? Number.MAX_VALUE) - clock.now()])
  }

  async #ring({ resource, id }: DueRecord): Promise<number> {
    const { account, clock, committer } = this.#context
    const settled = await updateRecord(committer, { account: account.name, resource, id }, async (before) => {
      if (before === null || before.removedAt !== null) return null
      const owner = resource === 'tracking' ? await this.#shipment(id) : null
      if (owner !== null && owner.removedAt !== null) return null
      const { absorbed } = await committer.store.listState(account.name, resource)
      const { calendar, ...facts } = recordFacts(this.#context, resource, absorbed)
      const byCalendar = resource === 'shipment' ? { calendar } : {}
      return {
        ...detectSettled({ ...facts, ...byCalendar, before, now: clock.now(), shipment: summaryOf(owner) }),
        write: { contentHash: null, read: 'none' },
        provenance: { by: 'settled', resource, exchanges: [], lastRead: before.lastRead },
      }
    })
    return settled?.events.length ?? 0
  }

  async #shipment(id: string): Promise<RecordState | null> {
    const { account, committer } = this.#context
    return (await committer.store.records(account.name, 'shipment', [id])).get(id) ?? null
  }
}
