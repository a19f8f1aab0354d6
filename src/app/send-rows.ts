import type { StorageSettings } from '../config/storage.ts'
import { requireStorage } from '../config/load-part.ts'
import type { Delivery } from '../model/delivery.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import { isLocked } from '../store/file/store-lock.ts'
import { awaitOutcome } from '../operate/await-outcome.ts'
import { assertStoreFile, openIfMade, openStorage, type OpenedStore } from '../operate/open-storage.ts'
import { ledgerRows } from '../operate/ledger-rows.ts'
import { pulledNames } from '../operate/require-endpoint.ts'
import { runningDaemon } from '../operate/running-daemon.ts'
import type { SentHere } from './send-here.ts'

/** After so long without headway of the daemon the command stops watching; the daemon goes on. */
const PATIENCE_MS = 60_000

export interface Sending extends SentHere {
  /** Whether a store that is not there yet is made. */
  readonly makesStore?: boolean
  /** How long an attempt may take, beyond the patience with any daemon. */
  readonly attemptMs?: number
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

/** What sends is loaded where no daemon does. */
async function throughThisProcess(sending: Sending): Promise<readonly Delivery[]> {
  const { sendHere } = await import('./send-here.ts')
  return await sendHere(sending)
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
  return await ledgerRows(store, ids)
}

/** Rows that are sent: those of a feed wait to be taken from it. */
async function sentRows(store: QueryStore, ids: readonly string[]): Promise<readonly string[]> {
  const pulled = pulledNames(await store.endpoints())
  if (pulled.size === 0) return ids
  return (await ledgerRows(store, ids)).filter(({ subscription }) => !pulled.has(subscription)).map(({ id }) => id)
}
