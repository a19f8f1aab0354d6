import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { turnTaking, type Clock } from '../clock.ts'
import type { FileStorage } from '../config/storage.ts'
import type { ShipbellError } from '../errors.ts'
import { openStore } from '../store/file/open-store.ts'
import { canonicalPath, keepToOwner } from '../store/file/store-file.ts'
import { hasLock, type LockHolder, lockStore } from '../store/file/store-lock.ts'
import type { OpenedWork, WorkOptions } from './opened-work.ts'
import { sayStall } from '../operate/said-stall.ts'
import { sayServedPort } from '../operate/served-port.ts'
import { StoreWatch } from './store-watch.ts'
import { wholeWork } from './workers/whole-work.ts'
import type { ShareListener } from './workers/work-share.ts'

/** Locks the store, then opens it: what dies with its process is free again, and the subscriptions are known. */
export async function openFileWork(
  { path }: FileStorage,
  options: WorkOptions,
  opening: AsyncDisposableStack,
): Promise<OpenedWork> {
  const { clock, command, live, log } = options
  const letOthers = turnTaking(clock)
  const watch = new StoreWatch(options)
  // A lock stays where a store was: a first start has neither store nor lock.
  const isBegunAnew = hasLock(path) && !existsSync(path)
  const lock = opening.use(lockStore(path, lockHolder(command, clock)))
  const onLost = (problem: ShipbellError): void => watch.lost(problem)
  let listener: ShareListener | null = null
  const store = opening.use(openStore({ path, locked: true, onLost, onFree: () => listener?.freed() }))
  lock.nameStore()
  if (isBegunAnew)
    log.warn({ file: path, hint: 'stop, and put the store back, unless it was meant to go' }, 'store.begun_anew')
  const exposed = keepToOwner(canonicalPath(path))
  if (exposed.length > 0) log.warn({ files: exposed, hint: 'others may read the store: chmod 600' }, 'store.exposed')
  // To make a new file takes as long as to make thousands of subscriptions known, or to find a place for thousands of accounts.
  await letOthers()
  await store.recoverClaims()
  await store.syncSubscriptions(live.file.subscriptions, clock.now())
  await letOthers()
  const look = async (): Promise<void> => {
    await store.assertInPlace()
    lock.assertInPlace()
  }
  return {
    store,
    share: wholeWork({ ...options, store, watch, look, listen: (given) => (listener = given) }),
    assertUsable: async () => {
      await look()
      await store.assertWritable()
    },
    isBegunAnew,
    outdated: new AbortController().signal,
    longestId: Infinity,
    ring: () => undefined,
    bytes: async () => await bytesOf(path),
    sayPort: (port) => sayServedPort(path, port),
    sayStall: (problem) => sayStall(path, problem),
  }
}

/** With the log of what is not in the file yet, and its index. */
async function bytesOf(path: string): Promise<number> {
  const files = [path, `${path}-wal`, `${path}-shm`]
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** How this process names itself in the store's lock, for whoever is refused. */
export function lockHolder(command: string, clock: Clock): LockHolder {
  return { pid: process.pid, command, since: new Date(clock.now()).toISOString(), host: hostname() }
}
