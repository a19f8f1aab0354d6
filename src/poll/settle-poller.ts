import type { Clock } from '../clock.ts'
import { detectSettled } from '../detect/detect-change.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { RecordState } from '../model/record-state.ts'
import { summariseShipment } from '../model/shipment.ts'
import type { SettlingRecord } from '../store/settle-port.ts'
import { accountCalendar } from './account-calendar.ts'
import type { Committer } from './committer.ts'

/** A wall clock may be set, so no sleep is trusted for longer. */
const LOOK_EVERY_MS = 30_000
const SHORTEST_PAUSE_MS = 50

export interface SettlePollerOptions {
  readonly account: AccountSettings
  readonly committer: Committer
  readonly clock: Clock
  readonly log: Logger
}

/** Rings the estimates that have waited for as long as `settle` says, whether or not a read comes by. */
export class SettlePoller {
  readonly #options: SettlePollerOptions
  /** The clock at the last round; null before the first. */
  #lookedAt: number | null = null

  constructor(options: SettlePollerOptions) {
    this.#options = options
  }

  /** Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    const { account, clock, committer, log } = this.#options
    const startedAt = clock.now()
    const due = await committer.store.settling.due(account.name, this.#until(startedAt))
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
   * All that wait are looked at before the first round, for `settle` may be shorter than when they began to, and where the
   * clock was set back, for they began at an instant that lies ahead.
   */
  #until(now: number): number {
    return this.#lookedAt === null || now < this.#lookedAt ? Number.MAX_SAFE_INTEGER : now
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    const { account, clock, committer } = this.#options
    const nextAt = await committer.store.settling.nextAt(account.name)
    const longest = Math.min(LOOK_EVERY_MS, account.settleMs === 0 ? LOOK_EVERY_MS : account.settleMs)
    return Math.max(Math.min(longest, (nextAt ?? Number.MAX_VALUE) - clock.now()), SHORTEST_PAUSE_MS)
  }

  async #ring({ resource, id }: SettlingRecord): Promise<number> {
    const { account, clock, committer } = this.#options
    const events = await committer.commit(async () => {
      const nothing = { account: account.name, records: [], events: [] }
      const before = (await committer.store.records(account.name, resource, [id])).get(id)
      if (before === undefined || before.removedAt !== null) return nothing
      const owner = resource === 'tracking' ? await this.#shipment(id) : null
      if (owner !== null && owner.removedAt !== null) return nothing
      const list = await committer.store.listState(account.name, resource)
      const calendar = accountCalendar(account, clock.calendarNow(account.name))
      const { state, events: rang } = detectSettled({
        account: account.name,
        resource,
        before,
        now: clock.now(),
        settleMs: account.settleMs,
        ignore: ignoredPaths(account, resource),
        absorbed: list.absorbed,
        shipment: owner?.seen == null ? null : summariseShipment(id, owner.seen),
        ...(resource === 'shipment' ? { calendar } : {}),
      })
      const write = { state, contentHash: null, expectedVersion: before.version, read: 'none' } as const
      const provenance = { by: 'settled', resource, exchanges: [], lastRead: before.lastRead } as const
      return { ...nothing, records: [write], events: rang, provenance }
    })
    return events.length
  }

  async #shipment(id: string): Promise<RecordState | null> {
    const { account, committer } = this.#options
    return (await committer.store.records(account.name, 'shipment', [id])).get(id) ?? null
  }
}
