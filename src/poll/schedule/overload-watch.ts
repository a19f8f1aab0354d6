import type { Logger } from '../../log.ts'
import { requestRate, stretchOf, type RefreshTarget } from '../../plan/refresh-targets.ts'

const HOUR_MS = 3_600_000

/** Says when the budget does not cover what is promised, and when it does again: each once. */
export class OverloadWatch {
  readonly #account: string
  readonly #log: Logger
  #isOver = false

  constructor(account: string, log: Logger) {
    this.#account = account
    this.#log = log
  }

  /** `allowed`: requests in a millisecond. */
  note(refreshTargets: readonly RefreshTarget[], allowed: number): void {
    const stretch = stretchOf(refreshTargets, allowed)
    if (stretch > 1 === this.#isOver) return
    this.#isOver = stretch > 1
    const line = {
      account: this.#account,
      needed_per_hour: Math.round(requestRate(refreshTargets) * HOUR_MS),
      allowed_per_hour: Math.round(allowed * HOUR_MS),
    }
    if (!this.#isOver) this.#log.info(line, 'plan.promises_fit')
    else this.#log.warn({ ...line, every_is_times: rounded(stretch), see: 'shipbell plan' }, 'plan.promises_do_not_fit')
  }
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100
}
