import { isFollowing } from '../clock.ts'
import type { PostgresStorage } from '../config/storage.ts'
import { openPostgresStore } from '../store/postgres/open-store.ts'
import { awaitDatabase } from './await-database.ts'
import { FEW_CONNECTIONS, followDatabase } from './open-storage.ts'
import type { OpenedWork, WorkOptions } from './opened-work.ts'
import { openSharedWork } from './workers/open-shared-work.ts'

const LOOK_EVERY_MS = 1_000
/** One looks whether the database is there, and pages are made over others. */
const OTHER_CONNECTIONS = 1 + FEW_CONNECTIONS

/** Joins whoever works on the store, by the time of the database. */
export async function openDatabaseWork(
  { pool, url }: PostgresStorage,
  options: WorkOptions,
  opening: AsyncDisposableStack,
): Promise<OpenedWork> {
  const { clock, live, waiting } = options
  const open = async () => await openPostgresStore({ url, pool: pool - OTHER_CONNECTIONS })
  const store = opening.use(
    await (waiting === undefined ? open() : awaitDatabase(open, { ...options, signal: waiting })),
  )
  const look = async (): Promise<void> => await followDatabase(store, clock)
  await look()
  await store.syncSubscriptions(live.config.subscriptions, clock.now())
  const timed = isFollowing(clock) ? { timed: clock.follow } : {}
  const share = await openSharedWork({ ...options, ...timed }, store, opening)
  const closing = new AbortController()
  const looking = lookOn(look, { ...options, signal: closing.signal })
  opening.defer(async () => {
    closing.abort()
    await looking
  })
  return {
    store,
    share,
    assertUsable: look,
    bytes: async () => await store.bytes(),
    sayPort: (port) => {
      share.serves(port)
      return { [Symbol.dispose]: () => undefined }
    },
  }
}

/** Notices connections that lead nowhere any more long before their answers are late. */
async function lookOn(
  look: () => Promise<void>,
  { clock, signal }: Pick<WorkOptions, 'clock'> & { readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    // Who needs the database says so.
    if (!signal.aborted) await look().catch(() => undefined)
  }
}
