import { LISTS, RECORD_OF, type Watchable } from '../../model/resource.ts'
import { AUDIT_SHARE } from '../../plan/audit-share.ts'
import type { PassReport } from '../lists/pass-end.ts'
import type { PollContext } from '../poll-context.ts'
import { endUnaudited } from './audit-news.ts'
import { AuditedList, type EndedPass, type Look } from './audited-list.ts'

/** However large the budget is: so many looks are enough. */
const LEAST_PAUSE_MS = 250
/** The pause is measured in steps: the budget may change meanwhile. */
const STEP_MS = 3_600_000
/** How long nothing is looked for where there was nothing to look at: about as long as between two looks. */
const IDLE_MS = { least: 2_000, most: 30_000 } as const

/**
 * Measures whether lists show what is there: out of the budget that nothing else needs, records are fetched by id and compared with what
 * their list shows. At most `AUDIT_SHARE` of the budget goes there, evenly: each fetch comes so long after the one before, and the first so
 * long after the start, so that restarts and workers that take over make them no more. What is read only by id has no list to compare.
 */
export class Auditor {
  readonly #context: PollContext
  readonly #lists: readonly AuditedList[]
  #turn = 0

  constructor(context: PollContext) {
    this.#context = context
    const { audit = false, watch } = context.account
    this.#lists = audit
      ? LISTS.filter((name) => watch[name] !== undefined).map((name) => new AuditedList(context, name))
      : []
  }

  /** What a process before found of lists that are audited no more is over. */
  async endOthers(): Promise<void> {
    const others = LISTS.filter((name) => !this.#lists.some(({ watch }) => watch === name))
    for (const name of others) await endUnaudited(this.#context, RECORD_OF[name])
  }

  /** What has to run until `signal` aborts, if anything has; one that failed may be begun again. */
  get loops(): readonly ((signal: AbortSignal) => Promise<void>)[] {
    return this.#lists.length === 0 ? [] : [async (signal) => this.#run(signal)]
  }

  /** A pass over a list has ended; one that was cut short shows nothing of what it has not read. */
  passEnded(watch: Watchable, report: Pick<PassReport, 'isCutShort' | 'unread'>, startedAt: number): void {
    const list = this.#lists.find((each) => each.watch === watch)
    const pass = endedPass(report, startedAt)
    if (pass !== null) list?.passEnded(pass)
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { accountClient, clock, plan } = this.#context
    try {
      await this.#pause(signal)
      while (!signal.aborted) {
        const isSpare = accountClient.isCalm && plan.coversTargets
        const next = isSpare ? await this.#next() : null
        if (next === null) await clock.sleep(this.#idleMs, signal)
        else await this.#look(next, signal)
      }
    } finally {
      for (const list of this.#lists) await list.save()
    }
  }

  async #look([list, look]: readonly [AuditedList, Look], signal: AbortSignal): Promise<void> {
    await this.#context.accountClient.spareWait(signal)
    if (signal.aborted) return
    await list.look(look, signal)
    await this.#pause(signal)
  }

  /** What is looked at next: suspects first, and then one list after the other. */
  async #next(): Promise<readonly [AuditedList, Look] | null> {
    for (const list of this.#lists) {
      const look = list.nextSecond()
      if (look !== null) return [list, look]
    }
    for (const _ of this.#lists) {
      const list = this.#lists[this.#turn % this.#lists.length]
      this.#turn += 1
      const look = (await list?.next()) ?? null
      if (list !== undefined && look !== null) return [list, look]
    }
    return null
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context
    for (let waitedMs = 0; waitedMs < this.#pauseMs && !signal.aborted;) {
      const stepMs = Math.min(this.#pauseMs - waitedMs, STEP_MS)
      await clock.sleep(stepMs, signal)
      waitedMs += stepMs
    }
  }

  get #idleMs(): number {
    return Math.min(Math.max(this.#pauseMs, IDLE_MS.least), IDLE_MS.most)
  }

  get #pauseMs(): number {
    return Math.max(Math.ceil(1 / (AUDIT_SHARE * this.#context.accountClient.evenRate)), LEAST_PAUSE_MS)
  }
}

/** What a pass means to audits; null: it did not come to the end of its list. */
export function endedPass(
  { isCutShort, unread }: Pick<PassReport, 'isCutShort' | 'unread'>,
  startedAt: number,
): EndedPass | null {
  return isCutShort ? null : { startedAt, isOfCopies: unread !== null && !unread.isOfList }
}
