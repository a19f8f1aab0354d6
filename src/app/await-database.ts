import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isAway } from '../store/postgres/database-failure.ts'

const LOOK_EVERY_MS = 1_000

export interface AwaitingDatabase {
  readonly clock: Clock
  readonly log: Logger
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

/**
 * Opens a store in a database, and waits for as long as that is away: it says so once. Throws what `open` throws, where it refuses for
 * good, or where `signal` has aborted.
 */
export async function awaitDatabase<T>(open: () => Promise<T>, { clock, log, signal }: AwaitingDatabase): Promise<T> {
  for (let told = false; ; told = true) {
    try {
      const store = await open()
      if (told) log.info({ next: 'it starts' }, 'store.found')
      return store
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error
      if (!told) log.warn({ error: String(error), next: 'it starts when the database is there' }, 'store.awaited')
      await clock.sleep(LOOK_EVERY_MS, signal)
      if (signal.aborted) throw error
    }
  }
}
