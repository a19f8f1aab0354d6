import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { DeliveryStore, Settlement } from '../store/ports.ts'

const LAST_PAUSES_MS = [250, 500, 1_000]

export interface OutboxDeps {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly log: Logger
  readonly owner: string
}

/** Outcomes on their way to the store. One leaves only when the store has it. */
export class Outbox {
  readonly #deps: OutboxDeps
  #waiting: Settlement[] = []

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#waiting.length
  }

  add(settlement: Settlement): void {
    this.#waiting.push(settlement)
  }

  /** Writes all that wait in one transaction; resolves to them. Throws `store_unusable`, keeping them. */
  async flush(): Promise<readonly Settlement[]> {
    const batch = [...this.#waiting]
    if (batch.length === 0) return []
    await this.#deps.store.settle(this.#deps.owner, batch)
    this.#waiting = this.#waiting.slice(batch.length)
    return batch
  }

  /**
   * The last flush of a process: tries a few times, then gives up with one line. What it gives up is not lost: the claims
   * end with the process, and those deliveries are sent again.
   */
  async flushPatiently(): Promise<readonly Settlement[]> {
    for (const pause of LAST_PAUSES_MS) {
      try {
        return await this.flush()
      } catch {
        await this.#deps.clock.sleep(pause)
      }
    }
    return await this.#lastFlush()
  }

  async #lastFlush(): Promise<readonly Settlement[]> {
    try {
      return await this.flush()
    } catch (error) {
      this.#deps.log.error(
        { error: String(error), count: this.size, next: 'sent again after restart' },
        'delivery.unsettled',
      )
      return []
    }
  }
}
