import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { SearchStore } from '../store/ports/search-port.ts'

const LOOK_EVERY_MS = 1_000
/** Few enough that a claim or a commit hardly waits for the store. */
const RECORDS_AT_ONCE = 20
/** Long enough for whatever else is to be done to come in between: a store of an earlier version brings hours of polling at once. */
const PAUSE_MS = 10
/** Slices after which `once` ends: some seconds. What is left is for the next run, which searches look at meanwhile. */
const SLICES_OF_ONE_RUN = 500

export interface SearchIndexingDeps {
  readonly store: SearchStore
  readonly clock: Clock
  readonly log: Logger
}

/** Takes what commits queued into the index of the search, within seconds and in small steps. */
export class SearchIndexing {
  readonly #deps: SearchIndexingDeps

  constructor(deps: SearchIndexingDeps) {
    this.#deps = deps
  }

  /** Looks now and then until `signal` aborts. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    while (!signal.aborted) {
      try {
        await this.#finish(signal, Number.POSITIVE_INFINITY)
      } catch (error) {
        if (signal.aborted) return
        log.error({ error: String(error), next: 'retry', retry_in_ms: LOOK_EVERY_MS }, 'search.unindexed')
      }
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  /** For a process that ends. Throws `store_unusable`. */
  async once(signal: AbortSignal): Promise<void> {
    await this.#finish(signal, SLICES_OF_ONE_RUN)
  }

  async #finish(signal: AbortSignal, mostSlices: number): Promise<void> {
    const { clock, store } = this.#deps
    for (let slice = 0; slice < mostSlices && !signal.aborted; slice += 1) {
      if ((await store.indexQueued(RECORDS_AT_ONCE)) < RECORDS_AT_ONCE) return
      await clock.sleep(PAUSE_MS, signal)
    }
  }
}
