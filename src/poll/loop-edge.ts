import { type Stall, WorkProgress } from '../plan/work-progress.ts'
import type { AccountContext } from './account-context.ts'
import { isAnswer } from './committer.ts'

/** The edge where a failed round of any loop of an account ends: logged once, and the loop goes on. */
export class LoopEdge {
  readonly #context: Pick<AccountContext, 'account' | 'clock' | 'log'>
  /** Loops whose last round has failed. */
  readonly #failing = new Map<object, WorkProgress>()

  constructor(context: Pick<AccountContext, 'account' | 'clock' | 'log'>) {
    this.#context = context
  }

  /**
   * Resolves to what `work` gives; null: it failed, or was cut by shutdown. `loop`: the loop of which it is a round, the next of which
   * comes soon after one that failed; left out: it is none, and its failure is logged alone.
   */
  async attempt<T>(work: () => Promise<T>, signal: AbortSignal, loop?: object): Promise<T | null> {
    try {
      const result = await work()
      if (loop !== undefined) this.#failing.delete(loop)
      return result
    } catch (error) {
      if (signal.aborted) return null
      const { account, clock, log } = this.#context
      log.error({ account: account.name, error: String(error), next: 'retry' }, 'poll.failed')
      if (loop === undefined || isAnswer(error)) return null
      const progress = this.#failing.get(loop) ?? new WorkProgress()
      progress.failed(clock.monotonic(), String(error))
      this.#failing.set(loop, progress)
      return null
    }
  }

  /** What stalls a loop, whatever comes through of others; null: none has failed for long. */
  stall(now: number): Stall | null {
    for (const progress of this.#failing.values()) {
      const stall = progress.stall(now)
      if (stall !== null) return stall
    }
    return null
  }
}
