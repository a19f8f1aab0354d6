import { FAILING_MS, type Stall } from '../plan/work-progress.ts'
import type { AccountContext } from './account-context.ts'
import { isAnswer } from './committer.ts'

type EdgeContext = Pick<AccountContext, 'account' | 'clock' | 'committer' | 'log'>

/** A loop whose last round has failed. */
interface Failing extends Stall {
  /** How many commits had come through when it failed first. */
  readonly writes: number
  /** When it failed last although something else had been written since; null: all that failed may be the store's. */
  readonly ownAt: number | null
}

/** The edge where a failed round of any loop of an account ends: logged once, and the loop goes on. */
export class LoopEdge {
  readonly #context: EdgeContext
  readonly #failing = new Map<object, Failing>()

  constructor(context: EdgeContext) {
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
      const { account, log } = this.#context
      log.error({ account: account.name, error: String(error), next: 'retry' }, 'poll.failed')
      if (loop === undefined || isAnswer(error)) return null
      this.#failed(loop, String(error))
      return null
    }
  }

  /**
   * What stalls a loop although others come through; null: none has failed for long. One that failed with the whole store is none: its
   * next round may take an hour.
   */
  stall(): Stall | null {
    for (const { error, ownAt, since } of this.#failing.values()) {
      if (ownAt !== null && ownAt - since >= FAILING_MS) return { since, error }
    }
    return null
  }

  #failed(loop: object, error: string): void {
    const { clock, committer } = this.#context
    const now = clock.monotonic()
    const { writes } = committer
    const before = this.#failing.get(loop) ?? { since: now, writes, ownAt: null }
    this.#failing.set(loop, { ...before, error, ownAt: writes > before.writes ? now : before.ownAt })
  }
}
