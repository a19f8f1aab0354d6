import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { ShipbellError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/ports.ts'
import { openStore } from '../store/sqlite/open-store.ts'
import { canonicalPath, keepToOwner } from '../store/sqlite/store-file.ts'
import { lockStore, type LockHolder, type StoreLock } from '../store/sqlite/store-lock.ts'
import type { StoreWatch } from './store-watch.ts'

interface LockedStoreOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  /** What holds the lock, for whoever is refused: "run", "once". */
  readonly command: string
}

/** Locks the store, then opens it: what dies with its process is free again, and the subscriptions are known. */
export async function openLockedStore(
  options: LockedStoreOptions,
  watch: StoreWatch,
  opening: AsyncDisposableStack,
): Promise<{ readonly store: Store; readonly lock: StoreLock }> {
  const { clock, command, live, log } = options
  const { storage, subscriptions } = live.config
  const lock = opening.use(lockStore(storage.path, lockHolder(command, clock)))
  const onLost = (problem: ShipbellError): void => watch.lost(problem)
  const store = opening.use(openStore({ path: storage.path, locked: true, onLost }))
  lock.nameStore()
  const exposed = keepToOwner(canonicalPath(storage.path))
  if (exposed.length > 0) log.warn({ files: exposed, hint: 'others may read the store: chmod 600' }, 'store.exposed')
  await store.recoverClaims()
  await store.syncSubscriptions(subscriptions, clock.now())
  return { store, lock }
}

/** How this process names itself in the store's lock, for whoever is refused. */
export function lockHolder(command: string, clock: Clock): LockHolder {
  return { pid: process.pid, command, since: new Date(clock.now()).toISOString(), host: hostname() }
}
