import { Service } from '../app.ts'
import type { StorageSettings } from '../config/storage.ts'
import { LiveConfig } from '../config/live-config.ts'
import { requireConfig, requireStorage } from '../config/load-config.ts'
import { createLogger } from '../log.ts'
import type { Delivery } from '../model/delivery.ts'
import type { Store } from '../store/ports/store.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import { isLocked } from '../store/file/store-lock.ts'
import { awaitOutcome, type SendProgress } from '../operate/await-outcome.ts'
import type { Surroundings } from '../operate/open-configured-store.ts'
import { assertStoreFile, openIfMade, openStorage, type OpenedStore } from '../operate/open-storage.ts'
import { pulledNames } from '../operate/require-endpoint.ts'
import { runningDaemon } from '../operate/running-daemon.ts'

/** Few enough that naming them in every claim costs nothing beside sending them. */
const AT_ONCE = 500

/** After so long without headway of the daemon the command stops watching; the daemon goes on. */
const PATIENCE_MS = 60_000

export interface Sending {
  readonly file: string
  readonly surroundings: Surroundings
  /** What holds the store's lock meanwhile, for whoever is refused. */
  readonly command: string
  /** Makes the rows, after everything that is needed to send them was found; resolves to their ids, oldest event first. */
  readonly prepare: (store: Store, daemon: boolean) => Promise<readonly string[]>
  /** Whether a store that is not there yet is made. */
  readonly makesStore?: boolean
  /** How long an attempt may take, beyond the patience with any daemon. */
  readonly attemptMs?: number
  readonly onProgress?: (progress: SendProgress) => void
}

/**
 * Makes rows and waits for what becomes of them: a running daemon sends them; without one, or when it ends meanwhile, this
 * process takes the store's lock and sends what is due itself. Resolves to the rows, still pending where an attempt failed or
 * none was made in time. Throws `config_invalid`, with nothing changed, where no daemon runs and the configuration is not
 * whole.
 */
export async function sendRows(sending: Sending): Promise<readonly Delivery[]> {
  const { file, surroundings, makesStore = false } = sending
  const storage = requireStorage(file, surroundings)
  const { clock } = surroundings
  if (storage.kind === 'file') {
    if (!makesStore) assertStoreFile(storage.path)
    if (!isLocked(storage.path)) return await throughThisProcess(sending)
  }
  {
    await using store = makesStore
      ? await openIfMade(storage, { access: 'write', clock })
      : await openStorage(storage, { access: 'write', clock })
    if (store !== null && (await isSentBy(storage, store))) return await throughDaemon(sending, storage, store)
  }
  return await throughThisProcess(sending)
}

/** Whether another process sends what is due. */
export async function isSentBy(storage: StorageSettings, { workers }: OpenedStore): Promise<boolean> {
  return storage.kind === 'file' ? isLocked(storage.path) : (await runningDaemon(storage, workers)) !== null
}

async function throughDaemon(
  sending: Sending,
  storage: StorageSettings,
  store: OpenedStore,
): Promise<readonly Delivery[]> {
  const { surroundings, prepare, attemptMs = 0, onProgress } = sending
  const { clock, signal } = surroundings
  const ids = await prepare(store, true)
  const isSending = async (): Promise<boolean> => await isSentBy(storage, store)
  const wait = { ids: await sentRows(store, ids), clock, signal, isSending, patienceMs: PATIENCE_MS + attemptMs }
  const left = await awaitOutcome(store, { ...wait, ...(onProgress && { onProgress }) })
  const alone = left.length > 0 && !signal.aborted && !(await isSending())
  if (alone) await throughThisProcess({ ...sending, prepare: async () => left })
  return await rowsOf(store, ids)
}

/** Rows that are sent: those of a feed wait to be taken from it. */
async function sentRows(store: QueryStore, ids: readonly string[]): Promise<readonly string[]> {
  const pulled = pulledNames(await store.endpoints())
  if (pulled.size === 0) return ids
  return (await rowsOf(store, ids)).filter(({ subscription }) => !pulled.has(subscription)).map(({ id }) => id)
}

async function throughThisProcess(sending: Sending): Promise<readonly Delivery[]> {
  const { file, surroundings, command, prepare, onProgress } = sending
  const { clock, signal } = surroundings
  const config = requireConfig(file, surroundings)
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const quiet = { log, random: Math.random, progress: () => undefined }
  await using service = await Service.open({ ...quiet, live: new LiveConfig(config), clock, command })
  const ids = await prepare(service.store, false)
  for (let done = 0; done < ids.length && !signal.aborted; done += AT_ONCE) {
    await service.deliver(signal, ids.slice(done, done + AT_ONCE))
    onProgress?.({ done: Math.min(done + AT_ONCE, ids.length), total: ids.length })
  }
  return await rowsOf(service.store, ids)
}

const PAGE = 1_000

/** Rows of the ledger in the order they are named. */
async function rowsOf(store: QueryStore, ids: readonly string[]): Promise<readonly Delivery[]> {
  const rows = new Map<string, Delivery>()
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE)
    for (const row of await store.deliveries(page)) rows.set(row.id, row)
  }
  return ids.flatMap((id) => rows.get(id) ?? [])
}
