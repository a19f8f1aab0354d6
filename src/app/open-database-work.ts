import { type Clock, isFollowing } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { PostgresStorage } from '../config/storage.ts'
import type { Logger } from '../log.ts'
import { Doorbell } from '../store/server/doorbell.ts'
import { LONGEST_ID, openPostgresStore } from '../store/server/open-store.ts'
import { awaitDatabase } from './await-database.ts'
import { FEW_CONNECTIONS, followDatabase } from '../operate/open-storage.ts'
import type { OpenedWork, WorkOptions } from './opened-work.ts'
import { openSharedWork } from './workers/open-shared-work.ts'

const LOOK_EVERY_MS = 1_000
/** One looks whether the database is there, and pages are made over others. */
const OTHER_CONNECTIONS = 1 + FEW_CONNECTIONS

/** Joins whoever works on the store, by the time of the database. */
export async function openDatabaseWork(
  storage: PostgresStorage,
  options: WorkOptions,
  opening: AsyncDisposableStack,
): Promise<OpenedWork> {
  const { clock, log } = options
  const { look, parts, share, store } = await awaitDatabase(async () => await join(storage, options), options)
  opening.use(parts)
  const [closing, outdated] = [new AbortController(), new AbortController()]
  const untilClosed = lookOn({ look, back: () => share.look(), outdated, clock, log, signal: closing.signal })
  opening.defer(async () => {
    closing.abort()
    await untilClosed
  })
  const doorbell =
    storage.listenUrl === null
      ? null
      : opening.use(new Doorbell({ url: storage.listenUrl, clock, heard: () => share.look() }))
  return {
    store,
    share,
    assertUsable: look,
    outdated: outdated.signal,
    longestId: LONGEST_ID,
    ring: () => doorbell?.ring(),
    bytes: async () => await store.bytes(),
    sayStall: (problem) => share.stalls(problem),
    sayPort: (port) => {
      share.serves(port)
      return { [Symbol.dispose]: () => undefined }
    },
  }
}

async function join({ pool, url }: PostgresStorage, options: WorkOptions) {
  const { clock } = options
  await using opening = new AsyncDisposableStack()
  const store = opening.use(await openPostgresStore({ url, pool: pool - OTHER_CONNECTIONS }))
  const look = async (): Promise<void> => await followDatabase(store, clock)
  await look()
  const timed = isFollowing(clock)
    ? { timed: (...shown: Parameters<typeof clock.follow>) => clock.follow(...shown) }
    : {}
  const share = await openSharedWork({ ...options, ...timed }, store, opening)
  return { store, look, share, parts: opening.move() }
}

interface LookingOn {
  readonly look: () => Promise<void>
  /** The database was away, and is there again. */
  readonly back: () => void
  /** Aborted, with the error that says why, where this program can never go on beside the store. */
  readonly outdated: AbortController
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Notices that the database is away, long before answers are late, and says so once. */
async function lookOn({ back, clock, log, look, outdated, signal }: LookingOn): Promise<void> {
  for (let wasThere = true; !signal.aborted;) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    if (signal.aborted) return
    const isThere = await look().then(
      () => true,
      (error: unknown) => {
        if (isForGood(error)) outdated.abort(error)
        else if (wasThere) log.error({ error: String(error), next: 'retry; nothing is lost' }, 'store.lost')
        return false
      },
    )
    if (isThere && !wasThere) {
      log.info({ next: 'it goes on' }, 'store.found')
      back()
    }
    wasThere = isThere
  }
}

/** Whether a look found that this program may never work on the store again: waiting mends nothing. */
function isForGood(error: unknown): boolean {
  return error instanceof ShipbellError && (error.code === 'store_newer' || error.code === 'store_moved')
}
