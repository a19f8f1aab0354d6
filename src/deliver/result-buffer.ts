import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AttemptResult } from '../model/attempt-result.ts'
import type { DeliveryStore } from '../store/ports/delivery-port.ts'

/** Results that one transaction writes at most: nothing else has a turn meanwhile. */
const MOST_AT_ONCE = 250
const LAST_PAUSES_MS = [250, 500, 1_000]

export interface ResultBufferDeps {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly log: Logger
  readonly owner: () => string
}

/** Results of attempts on their way to the store. A result leaves only when the store has it. */
export class ResultBuffer {
  readonly #deps: ResultBufferDeps
  #waiting: AttemptResult[] = []

  constructor(deps: ResultBufferDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#waiting.length
  }

  get ids(): readonly string[] {
    return this.#waiting.map(({ id }) => id)
  }

  add(attemptResult: AttemptResult): void {
    this.#waiting.push(attemptResult)
  }

  /** Writes the first of those that wait, up to some hundreds, in one transaction; resolves to them. Throws `store_unusable`, keeping them. */
  async flush(): Promise<readonly AttemptResult[]> {
    const batch = this.#waiting.slice(0, MOST_AT_ONCE)
    if (batch.length === 0) return []
    await this.#deps.store.settle(this.#deps.owner(), batch)
    this.#waiting = this.#waiting.slice(batch.length)
    return batch
  }

  /**
   * The last flushes of a process, until nothing waits: it tries a few times, then gives up with one line. What it gives up is not
   * lost: the claims end with the process, and those deliveries are sent again.
   */
  async *flushPatiently(): AsyncGenerator<readonly AttemptResult[]> {
    const pauses = [...LAST_PAUSES_MS]
    do {
      try {
        yield await this.flush()
      } catch (error) {
        const pause = pauses.shift()
        if (pause === undefined) {
          this.#giveUp(error)
          return
        }
        await this.#deps.clock.sleep(pause)
      }
    } while (this.size > 0)
  }

  #giveUp(error: unknown): void {
    this.#deps.log.error(
      { error: String(error), count: this.size, next: 'sent again after restart' },
      'delivery.unsettled',
    )
  }
}
