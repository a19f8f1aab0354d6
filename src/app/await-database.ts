import { isAway } from '../store/server/database-failure.ts'
import type { WorkOptions } from './opened-work.ts'
import { serveWaiting } from './waiting-server.ts'

const LOOK_EVERY_MS = 1_000

/**
 * Opens a store in a database, and waits for as long as that is away, if it may: it says so once, and lives meanwhile. Throws what
 * `open` throws, where it refuses for good, or where nobody waits any more.
 */
export async function awaitDatabase<T>(open: () => Promise<T>, options: WorkOptions): Promise<T> {
  const { live, log, waiting } = options
  try {
    return await open()
  } catch (error) {
    if (waiting === undefined || waiting.aborted || !isAway(error)) throw error
    log.warn({ error: String(error), next: 'it starts when the database is there' }, 'store.awaited')
    await using meanwhile = new AsyncDisposableStack()
    meanwhile.use(await serveWaiting(live.config.http))
    const opened = await openLater(open, { ...options, waiting })
    log.info({ next: 'it goes on' }, 'store.found')
    return opened
  }
}

async function openLater<T>(
  open: () => Promise<T>,
  { clock, waiting }: Pick<WorkOptions, 'clock'> & { readonly waiting: AbortSignal },
): Promise<T> {
  for (;;) {
    await clock.sleep(LOOK_EVERY_MS, waiting)
    try {
      return await open()
    } catch (error) {
      if (waiting.aborted || !isAway(error)) throw error
    }
  }
}
