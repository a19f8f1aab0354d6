import type { Clock } from '../clock.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'
import type { Subscription } from '../model/subscription.ts'
import type { AdminReports } from '../serve/admin-context.ts'
import { countMatched } from './backfill.ts'

/** A trial that is given longer waits until no other long one is under way. */
const SHORT_MS = 100

export interface TrialParts {
  readonly clock: Clock
  readonly store: Pick<LogQueryStore, 'eventPage'>
  readonly named: (subscription: string) => Subscription
}

/**
 * Counts what subscriptions would have received. Whoever asks for the same while it is under way gets the same answer, and
 * long ones run one after another, with as much time for everything else: anybody who may look can ask.
 */
export class Trials {
  readonly #parts: TrialParts
  readonly #running = new Map<string, ReturnType<AdminReports['matched']>>()
  #lastLong: Promise<unknown> = Promise.resolve()

  constructor(parts: TrialParts) {
    this.#parts = parts
  }

  readonly matched: AdminReports['matched'] = async (name, trial) => {
    const key = JSON.stringify([name, trial.patienceMs, trial.accounts ?? null])
    const known = this.#running.get(key)
    if (known !== undefined) return await known
    const running = this.#inTurn(name, trial)
    this.#running.set(key, running)
    try {
      return await running
    } finally {
      this.#running.delete(key)
    }
  }

  /**
   * Counts once the trial has its turn. Its patience begins now: a trial that waited for all of it looks at the newest events
   * alone.
   */
  async #inTurn(...[name, trial]: Parameters<AdminReports['matched']>): ReturnType<AdminReports['matched']> {
    const end = this.#parts.clock.monotonic() + trial.patienceMs
    const count = async () => await this.#count(name, { ...trial, end })
    if (trial.patienceMs <= SHORT_MS) return await count()
    const counting = this.#lastLong.then(count)
    this.#lastLong = counting.catch(() => undefined)
    return await counting
  }

  async #count(name: string, { end, ...trial }: Parameters<AdminReports['matched']>[1] & { readonly end: number }) {
    const { clock, named, store } = this.#parts
    let begun = clock.monotonic()
    const goesOn = async (): Promise<boolean> => {
      await clock.sleep(clock.monotonic() - begun)
      begun = clock.monotonic()
      return begun < end
    }
    return await countMatched(store, named(name), { ...trial, goesOn })
  }
}
