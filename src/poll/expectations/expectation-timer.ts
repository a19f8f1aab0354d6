import type { ExpectedRecord } from '../../model/expectation.ts'
import { idsOf } from '../../model/note.ts'
import type { WakeSignal } from '../../wake-signal.ts'
import type { AccountContext } from '../account-context.ts'
import type { ExpectedKey } from '../../store/ports/expectation-port.ts'
import type { KnownRecord } from '../../store/ports/record-port.ts'
import { calendarPauseMs } from '../timers/timer-pause.ts'
import type { ExpectationTopic } from './expectation-topic.ts'
import type { ReadTimes } from './read-times.ts'

/** How often it is looked whether what is due has been read. */
const LOOK_FOR_READS_EVERY_MS = 5_000
/** Records that are looked at together. */
const MOST = 200

/**
 * Judges the expectations whose instant has come, once everything that their rules look at was read since. What is due is found by an
 * index; until something is, a look costs one row.
 */
export class ExpectationTimer {
  readonly topic: ExpectationTopic
  readonly #context: AccountContext
  readonly #reads: ReadTimes
  #waiting = false

  constructor(context: AccountContext, topic: ExpectationTopic, reads: ReadTimes) {
    this.#context = context
    this.topic = topic
    this.#reads = reads
  }

  /** Told of what is due by other instants than before, and of passes that end: they may have read what was due. */
  get wake(): WakeSignal {
    return this.topic.due
  }

  /** What is due may have been read. */
  passEnded(): void {
    if (this.#waiting) this.wake.notify()
  }

  /** Judges all that can be judged now. Returns how many events rang. */
  async settle(signal: AbortSignal): Promise<number> {
    return this.round(signal)
  }

  /** Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    const { account, clock, committer, log } = this.#context
    const startedAt = clock.now()
    this.#waiting = false
    await this.topic.load()
    const dueUntil = clock.calendarNow(account.name)
    let rang = 0
    let after: ExpectedRecord | null = null
    while (!signal.aborted) {
      const due = await committer.store.expectedRecords(account.name, { which: { dueUntil }, after, most: MOST })
      if (due.length > 0 && after === null && !(await this.#hasBegun())) return 0
      const ready = await this.#ready(due, dueUntil)
      if (ready.length < due.length) this.#waiting = true
      rang += await this.#judge(ready)
      after = due.at(-1) ?? null
      if (due.length < MOST) break
    }
    const line = { account: account.name, events: rang, duration_ms: clock.now() - startedAt }
    if (rang > 0) log.info(line, 'expectations.rang')
    return rang
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    const { account, clock, committer } = this.#context
    const today = clock.calendarNow(account.name)
    const after = { resource: 'shipment', id: '\u{10ffff}', dueAt: today } as const
    const which = { dueUntil: Number.MAX_SAFE_INTEGER }
    const [next] = await committer.store.expectedRecords(account.name, { which, after, most: 1 })
    const reads = this.#waiting ? [LOOK_FOR_READS_EVERY_MS] : []
    return calendarPauseMs(this.#context, today, [...reads, (next?.dueAt ?? Number.MAX_VALUE) - today])
  }

  /** Whether the topic has begun with the rules of today: before that nothing is judged by them. */
  async #hasBegun(): Promise<boolean> {
    const { account, committer } = this.#context
    const { settings } = await committer.store.noted(account.name, this.topic.topic, 1)
    return settings === this.topic.settings
  }

  async #judge(keys: readonly ExpectedKey[]): Promise<number> {
    const { account, committer } = this.#context
    const most = committer.recordsAtOnce(account.name)
    let rang = 0
    for (let from = 0; from < keys.length; from += most) {
      const part = keys.slice(from, from + most)
      const news = await committer.commit(account.name, async () => this.topic.judge(part))
      rang += news?.events?.length ?? 0
    }
    return rang
  }

  /** The records with a rule that is due and has had everything read that it looks at. */
  async #ready(due: readonly ExpectedRecord[], now: number): Promise<readonly ExpectedRecord[]> {
    const { account, committer } = this.#context
    const shipments = idsOf('shipment', due)
    const needsTracking = this.topic.resources.includes('tracking') && shipments.length > 0
    const trackings: ReadonlyMap<string, KnownRecord> = needsTracking
      ? await committer.store.known(account.name, 'tracking', shipments)
      : new Map()
    return due.filter((record) => {
      const sentAt = trackings.get(record.id)?.lastRead.sentAt ?? null
      const waiting = Object.entries(record.states).filter(
        ([name, { by, state }]) =>
          state === 'waiting' && !Object.hasOwn(record.failures, name) && by !== null && by <= now,
      )
      return waiting.some(([name, { by }]) => {
        const rule = this.topic.rules.find((each) => each.rule.name === name)
        return rule === undefined || this.#reads.wasReadSince(rule.resources, by ?? now, sentAt)
      })
    })
  }
}
