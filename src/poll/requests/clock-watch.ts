import type { Clock } from '../../clock.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Exchange } from '../../model/exchange.ts'
import { formatInstant } from '../../model/instant.ts'
import type { Committer } from '../committer.ts'
import { accountRecord, rememberOfAccount, ringAccount } from '../ingest/update-record.ts'

/** For so long an answer that verified an invoice decides about the clocks, whatever other answers say. */
const VERIFIED_MS = 5 * 60_000
/** After so long without an answer that differs, the clocks agree again. */
const AGREED_MS = 60 * 60_000

export interface ClockWatchOptions {
  readonly account: AccountSettings
  readonly clock: Clock
  readonly committer: Committer
}

/**
 * Compares this machine's clock with the dates of the platform's answers. Everything in `poll` gets a `clock` whose
 * `calendarNow` has reached what both clocks have: where this machine is ahead, the calendar goes by the platform. An answer that
 * verifies an invoice is judged once more, by its own date. `account.clock_differs` rings once where such an answer differs, and
 * again only after the clocks agreed.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions
  #latest: Exchange | null = null
  /** How far this machine is ahead by the last answer, and by the last one that verified something. */
  #leadMs = 0
  #verified = { leadMs: 0, at: Number.NEGATIVE_INFINITY }
  #differedAt = Number.NEGATIVE_INFINITY
  /** Whether the event rang and the clocks have not agreed since; null: not known yet. */
  #isAnnounced: boolean | null = null

  constructor(options: ClockWatchOptions) {
    this.#options = options
  }

  /** A clock whose calendar has reached what both clocks have. */
  get clock(): Clock {
    const { clock } = this.#options
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (ms, signal) => clock.sleep(ms, signal),
      after: (ms, act) => clock.after(ms, act),
      calendarNow: () => this.ownNow() - Math.max(this.#leadMs, this.#verifiedLeadMs(), 0),
    }
  }

  /** The calendar's present by this machine's clock alone. */
  ownNow(): number {
    const { account, clock } = this.#options
    return clock.calendarNow(account.name)
  }

  /** Whether it was said that the clocks differ. */
  get isAnnounced(): boolean {
    return this.#isAnnounced === true
  }

  /** Takes note of an answer, whatever it was to. */
  async observe(exchange: Exchange): Promise<void> {
    const leadMs = this.#leadOf(exchange)
    if (leadMs === null) return this.#noteUndated(exchange)
    const now = this.#options.clock.now()
    this.#latest = exchange
    this.#leadMs = leadMs
    if (leadMs !== 0) this.#differedAt = now
    else if (this.#isAnnounced !== false && Math.abs(now - this.#differedAt) > AGREED_MS) await this.#agree()
  }

  /** An invoice was verified, by this answer or (null) by a pass. Resolves to how far this machine's clock is ahead, 0 if it is not. */
  async judge(exchange: Exchange | null): Promise<number> {
    const by = exchange ?? this.#latest
    const leadMs = by === null ? null : this.#leadOf(by)
    if (by === null || leadMs === null) return 0
    this.#verified = { leadMs, at: this.#options.clock.now() }
    if (leadMs === 0) await this.#agree()
    else await this.#differ(by, leadMs)
    return Math.max(leadMs, 0)
  }

  /** The platform dates nothing. What was dated came from elsewhere: a proxy's error page, for example. */
  #noteUndated({ ageMs, status }: Exchange): void {
    if (ageMs !== undefined || (status !== 200 && status !== 304)) return
    this.#latest = null
    this.#leadMs = 0
  }

  #leadOf(exchange: Exchange): number | null {
    return clockLead(exchange, this.ownNow() - this.#options.clock.now())
  }

  #verifiedLeadMs(): number {
    const { at, leadMs } = this.#verified
    return Math.abs(this.#options.clock.now() - at) < VERIFIED_MS ? leadMs : 0
  }

  async #differ(exchange: Exchange, leadMs: number): Promise<void> {
    if (await this.#wasAnnounced()) return
    this.#isAnnounced = true
    const { account, committer } = this.#options
    const at = exchange.answeredAt
    const extras = {
      difference_seconds: Math.round(leadMs / 1_000),
      platform_date: formatInstant(exchange.platformClock ?? at),
    }
    const provenance = { by: 'health', resource: null, exchanges: [exchange] } as const
    await ringAccount(committer, { account: account.name, provenance }, (before) => {
      // Several invoices are verified at once: each answer may come here before the event of the first is committed.
      if (before?.memory.clockDiffersSince != null) return null
      return { type: 'account.clock_differs', at, extras, memory: { ...before?.memory, clockDiffersSince: at } }
    })
  }

  async #agree(): Promise<void> {
    if (!(await this.#wasAnnounced())) return
    this.#isAnnounced = false
    const { account, committer } = this.#options
    await rememberOfAccount(committer, account.name, (memory) => ({ ...memory, clockDiffersSince: null }))
  }

  async #wasAnnounced(): Promise<boolean> {
    const { account, committer } = this.#options
    if (this.#isAnnounced === null) {
      const wasAnnounced = (await accountRecord(committer, account.name))?.memory.clockDiffersSince != null
      this.#isAnnounced ??= wasAnnounced
    }
    return this.#isAnnounced
  }
}

/** Clocks that differ by no more are taken for the same. */
const TOLERATED_MS = 2 * 60_000

/**
 * How far this machine's clock was ahead of the platform's when an answer came (negative: behind); 0 where they agree as far as
 * anybody can tell, null where the answer does not say. `calendarOffsetMs`: how far the calendar is from the clock, where a
 * simulated platform drives it and may date its answers by it.
 */
function clockLead(exchange: Exchange, calendarOffsetMs: number): number | null {
  const { answeredAt, platformClock, sentAt } = exchange
  if (platformClock === undefined) return null
  const [real, simulated] = [0, calendarOffsetMs].map((offset) =>
    beyond({ from: sentAt + offset, to: answeredAt + offset }, platformClock),
  )
  return simulated === 0 ? 0 : (real ?? 0)
}

/** How far a span lies after an instant, or (negative) before it. 0 where the instant is within it, or nearly. */
function beyond({ from, to }: { readonly from: number; readonly to: number }, at: number): number {
  if (from - at > TOLERATED_MS) return from - at
  return at - to > TOLERATED_MS ? to - at : 0
}
