import { existsSync } from 'node:fs'
import { type Clock, isFollowing } from '../clock.ts'
import type { PostgresStorage, StorageSettings } from '../config/storage.ts'
import { ShipbellError } from '../errors.ts'
import type { Store } from '../store/ports/store.ts'
import type { PostgresStore } from '../store/server/open-store.ts'
import { hasLock } from '../store/file/store-lock.ts'
import type { WorkerStore } from '../store/ports/worker-port.ts'

/** A store of either kind: several workers have one in a database alone. */
export type OpenedStore = Store & { readonly workers?: WorkerStore }

export interface Opening {
  /** What was moved can still be read: its history. `status` asks how things are now. */
  readonly access: 'read' | 'status' | 'write'
  /** Follows the time of a database, if it can. */
  readonly clock: Clock
}

/** The connections of who asks a few questions, one after the other. */
export const FEW_CONNECTIONS = 2

/** The store of these settings, without its lock. Throws `store_unusable` where no daemon has made it yet. */
export async function openStorage(storage: StorageSettings, opening: Opening): Promise<OpenedStore> {
  const store = await openIfMade(storage, opening)
  if (store !== null) return store
  throw storage.kind === 'file' ? missingFile(storage.path) : missing(`in the database ${await placeIn(storage)}`)
}

/** Opens the store; null where no daemon has made it yet. */
export async function openIfMade(storage: StorageSettings, { access, clock }: Opening): Promise<OpenedStore | null> {
  const how = { readonly: access !== 'write', current: access === 'status' }
  if (storage.kind === 'file') {
    if (!existsSync(storage.path)) return null
    const { openStore } = await import('../store/file/open-store.ts')
    return openStore({ path: storage.path, ...how })
  }
  const { openMadeStore } = await import('../store/server/open-store.ts')
  const store = await openMadeStore({ url: storage.url, pool: FEW_CONNECTIONS, ...how })
  if (store === null) return null
  await using opening = new AsyncDisposableStack()
  opening.use(store)
  await followDatabase(store, clock)
  opening.move()
  return store
}

/** From then on the clock shows the database's time, where it can follow another one. Throws `store_unusable`. */
export async function followDatabase(store: Pick<PostgresStore, 'look'>, clock: Clock): Promise<void> {
  const before = clock.monotonic()
  const now = await store.look()
  if (isFollowing(clock)) clock.follow(now, [before, clock.monotonic()])
}

/** Throws `store_unusable` where no daemon has made the store yet. */
export function assertStoreFile(path: string): void {
  if (!existsSync(path)) throw missingFile(path)
}

function missingFile(path: string): ShipbellError {
  if (!hasLock(path)) return missing(`at ${path}`)
  const problem = `The store ${path} was deleted or moved, but for its lock: put the file back, or correct storage.path.`
  return new ShipbellError('store_unusable', problem)
}

function missing(where: string): ShipbellError {
  const problem = `There is no store ${where} yet: start the daemon with \`shipbell run\` first.`
  return new ShipbellError('store_unusable', problem)
}

/** Where a database is, for people. */
export async function placeIn({ url }: PostgresStorage): Promise<string> {
  const { placeOf } = await import('../store/server/database-address.ts')
  return placeOf(url)
}
