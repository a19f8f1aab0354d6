import { WakeSignal } from '../wake-signal.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'

/** Long enough for other processes' writes, which wait for the store's lock, to come in between. */
export const PAUSE_MS = 10
const LOOK_EVERY_MS = 1_000

export interface Settling {
  readonly store: Pick<AdminStore, 'settleRows'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The subscription whose rows are moved; left out: those of all. */
  readonly subscription?: string
  readonly onSlice?: () => void
}

/**
 * Moves rows to the state that their endpoints ask for, slice by slice with pauses, so that neither this process nor another
 * waits for a backlog. Resolves once none is left, or when `signal` aborts: then the next process goes on. Throws
 * `store_unusable`.
 */
export async function settleRows({ store, clock, signal, subscription, onSlice }: Settling): Promise<void> {
  while (!signal.aborted) {
    const done = await store.settleRows(clock.now(), subscription)
    if (done) return
    onSlice?.()
    await clock.sleep(PAUSE_MS, signal)
  }
}

export interface RowSettlingDeps extends Omit<Settling, 'signal' | 'subscription'> {
  readonly log: Logger
}

/** Goes on with what a reload, a 410, or a command or process that died left unfinished. */
export class RowSettling {
  readonly #deps: RowSettlingDeps
  readonly #wake = new WakeSignal()

  constructor(deps: RowSettlingDeps) {
    this.#deps = deps
  }

  /** Says that there may be rows to move: the loop looks at once instead of within a second. */
  wake(): void {
    this.#wake.notify()
  }

  /** Moves rows until `signal` aborts. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    while (!signal.aborted) {
      try {
        await this.finish(signal)
      } catch (error) {
        log.error({ error: String(error), next: 'retry', retry_in_ms: LOOK_EVERY_MS }, 'rows.unsettled')
      }
      await this.#wake.wait(clock, LOOK_EVERY_MS, signal)
    }
  }

  async finish(signal: AbortSignal): Promise<void> {
    await settleRows({ ...this.#deps, signal })
  }
}
