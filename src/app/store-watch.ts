import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { Logger } from '../log.ts'

/** How often the files are looked at while nothing is committed. */
const LOOK_EVERY_MS = 1_000

export interface StoreWatchOptions {
  readonly clock: Clock
  readonly log: Logger
}

export interface Watched {
  /** Throws `store_unusable` while a file of the store is not in its place. */
  readonly look: () => Promise<void>
  /** Goes on until its signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Halts the work of a process while the files of its store are not where they were opened: what is committed then is lost. The
 * process does not end, because its supervisor would start it again on a new store, whose baseline is silent about all that
 * changed meanwhile. It says so once, and goes on when the files are back.
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions
  /** Ends the work that is under way. */
  #halt: AbortController | null = null

  constructor(options: StoreWatchOptions) {
    this.#options = options
  }

  /** For whoever finds that a file is gone. */
  lost(problem: ShipbellError): void {
    if (this.#halt === null || this.#halt.signal.aborted) return
    const next = 'nothing is read or sent until it is back'
    this.#options.log.error({ error: problem.message, next }, 'store.lost')
    this.#halt.abort()
  }

  /** Does the work until `signal` aborts, again and again as the store goes and comes back. */
  async whileInPlace({ look, work, signal }: Watched): Promise<void> {
    while (!signal.aborted) {
      const halt = new AbortController()
      this.#halt = halt
      const working = AbortSignal.any([signal, halt.signal])
      try {
        await Promise.all([this.#lookOn(look, working), work(working)])
      } finally {
        halt.abort()
      }
      if (signal.aborted) return
      await this.#untilBack(look, signal)
    }
  }

  async #lookOn(look: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const problem = await problemOf(look)
      if (problem !== null) this.lost(problem)
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  async #untilBack(look: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await problemOf(look)) === null) {
        this.#options.log.info({ next: 'it goes on' }, 'store.found')
        return
      }
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal)
    }
  }
}

async function problemOf(look: () => Promise<void>): Promise<ShipbellError | null> {
  try {
    await look()
    return null
  } catch (error) {
    if (error instanceof ShipbellError) return error
    throw error
  }
}
