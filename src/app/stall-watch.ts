import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { formatInstant } from '../model/instant.ts'
import { WorkProgress, type Stall } from '../plan/work-progress.ts'
import type { WriteProgress } from '../poll/committer.ts'

const LOOK_EVERY_MS = 1_000
/** A look that comes so late was kept from coming, as all else in this process was: it says nothing of the store. */
const LATE_MS = 5_000

export interface StallWatchOptions {
  readonly clock: Clock
  readonly log: Logger
}

/** Told what does not come through, in one sentence, and null once it does. Must return at once. */
export type TellStall = (problem: string | null) => void

/** An account that this process polls. */
interface PolledAccount {
  readonly account: { readonly name: string }
  /** What stalls a loop of it. */
  readonly stall: () => Stall | null
}

/** Whether what this process does comes through in the store: one that answers questions may still take nothing. */
export class StallWatch {
  readonly deliveries = new WorkProgress()
  readonly #options: StallWatchOptions
  readonly #writes = new Map<string, WriteProgress>()

  constructor(options: StallWatchOptions) {
    this.#options = options
  }

  /** What is written of an account. */
  writesOf(account: string): WriteProgress {
    const progress = this.#writes.get(account) ?? { commits: new WorkProgress(), others: new WorkProgress() }
    this.#writes.set(account, progress)
    return progress
  }

  /** What does not come through, in one sentence; null: all does. */
  problem(polled: readonly PolledAccount[]): string | null {
    const now = this.#options.clock.monotonic()
    const deliveries = this.deliveries.stall(now)
    if (deliveries !== null) return this.#sentence('Nothing could be delivered', deliveries)
    for (const each of polled) {
      const { name } = each.account
      const writes = this.#writes.get(name)
      const stall = writes?.commits.stall(now) ?? writes?.others.stall(now) ?? each.stall()
      if (stall !== null) return this.#sentence(`What was read of ${name} could not be written`, stall)
    }
    return null
  }

  #sentence(what: string, { error, since }: Stall): string {
    const { clock } = this.#options
    const at = formatInstant(clock.now() - (clock.monotonic() - since))
    return `${what} since ${at}: ${error ?? 'the store does not answer a write'}`
  }

  /** Says it once as work stalls, and once as it goes on. */
  async run(polled: () => readonly PolledAccount[], tell: TellStall, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    let isStalled = false
    for (;;) {
      const before = clock.monotonic()
      await clock.sleep(LOOK_EVERY_MS, signal)
      if (signal.aborted) break
      if (clock.monotonic() - before >= LATE_MS) continue
      const problem = this.problem(polled())
      if ((problem !== null) !== isStalled) {
        isStalled = !isStalled
        if (isStalled) log.error({ error: problem, next: 'retry; nothing is lost' }, 'store.stalled')
        else log.info({ next: 'it goes on' }, 'store.unstalled')
        tell(problem)
      }
    }
    tell(null)
  }
}
