import { Service } from '../app.ts'
import { LiveConfig } from '../config/live-config.ts'
import type { Config } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { collectItems, type PageQuery } from '../model/page.ts'
import { awaitOutcome } from '../operate/await-outcome.ts'
import type { Surroundings } from '../operate/open-configured-store.ts'
import { openStorage, type OpenedStore } from '../operate/open-storage.ts'
import { beginSnapshot, isUnderWay, type SnapshotChoice } from '../operate/snapshots.ts'
import { snapshotState, snapshotSums, type SnapshotStanding } from '../model/snapshot-run.ts'
import type { Store } from '../store/ports/store.ts'
import { isLocked } from '../store/file/store-lock.ts'
import { isSentBy } from './send-rows.ts'

const LOOK_EVERY_MS = 200
/** After so long without headway of the daemon the command stops watching; the daemon goes on. */
const PATIENCE_MS = 60_000
/** After so many looks without headway the daemon may be gone. */
const DOUBT_AFTER = 10
const MOST_ROWS = 200

export interface SnapshotSending extends SnapshotChoice {
  readonly config: Config
  readonly surroundings: Surroundings
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

export interface SentSnapshot {
  /** How many records there were to send when it began; null: it had begun before. */
  readonly rows: number | null
  /** How the run stands; null: another one took its place. */
  readonly run: SnapshotStanding | null
  /** Whether some of what was sent has not arrived. */
  readonly isUndelivered: boolean
}

/**
 * Begins a run and watches it: a running daemon sends it; without one, or when the daemon ends meanwhile, this process takes the store's lock
 * and sends it itself, and goes on with one that is under way. Throws `not_found` where there is no such subscription, `wrong_state` where it
 * takes none or another process sends one already.
 */
export async function sendSnapshot(sending: SnapshotSending): Promise<SentSnapshot> {
  const { config, surroundings } = sending
  const { clock } = surroundings
  if (config.storage.kind === 'file' && !isLocked(config.storage.path)) return await throughThisProcess(sending, null)
  const rows = await throughDaemon(sending, clock.now())
  return rows.isLeft ? await throughThisProcess(sending, rows.rows) : rows.sent
}

type Watched =
  | { readonly isLeft: true; readonly rows: number | null }
  | { readonly isLeft: false; readonly sent: SentSnapshot }

async function throughDaemon(sending: SnapshotSending, startedAt: number): Promise<Watched> {
  const { config, surroundings } = sending
  const { clock, signal } = surroundings
  await using store = await openStorage(config.storage, { access: 'write', clock })
  const isSending = async (): Promise<boolean> => await isSentBy(config.storage, store)
  if (!(await isSending())) return { isLeft: true, rows: null }
  const rows = await beginSnapshot({ store, clock, config }, sending)
  const run = await watch(store, { ...sending, rows, isSending })
  if (run !== null && snapshotState(run) === 'under_way' && !signal.aborted && !(await isSending()))
    return { isLeft: true, rows }
  return { isLeft: false, sent: { rows, run, isUndelivered: await isUndelivered(store, sending, startedAt) } }
}

interface Watching extends SnapshotSending {
  readonly rows: number
  readonly isSending: () => Promise<boolean>
}

/** Watches the run until it ended and what it sent has, until there is no headway, or until the signal aborts. */
async function watch(store: OpenedStore, watching: Watching): Promise<SnapshotStanding | null> {
  const { isSending, onProgress, rows, subscription, surroundings } = watching
  const { clock, signal } = surroundings
  let [run, looked, idle] = [await lastRun(store, subscription), 0, 0]
  let until = clock.monotonic() + PATIENCE_MS
  while (run !== null && snapshotState(run) === 'under_way' && !signal.aborted && clock.monotonic() < until) {
    const { leftOut, sent } = snapshotSums(run)
    onProgress({ done: Math.min(sent, rows), total: rows })
    idle = sent + leftOut > looked ? 0 : idle + 1
    if (idle === 0) until = clock.monotonic() + PATIENCE_MS
    else if (idle % DOUBT_AFTER === 0 && !(await isSending())) break
    looked = sent + leftOut
    await clock.sleep(LOOK_EVERY_MS, signal)
    run = await lastRun(store, subscription)
  }
  if (run?.endedAt != null) await settled(store, watching, run.begunAt)
  return run
}

async function lastRun(store: Store, subscription: string): Promise<SnapshotStanding | null> {
  return (await store.snapshotRuns({ which: 'last', subscription }))[0] ?? null
}

/** Waits for the outcome of what was sent last. */
async function settled(store: OpenedStore, { isSending, subscription, surroundings }: Watching, since: number) {
  const { clock, signal } = surroundings
  const ids = (await openRows(store, subscription, since))
    .filter(({ state }) => state === 'pending')
    .map(({ id }) => id)
  await awaitOutcome(store, { ids, clock, signal, patienceMs: PATIENCE_MS, isSending })
}

/** Rows of snapshots that have not arrived; what waits to be taken from a feed is none of them. */
async function openRows(store: Store, subscription: string, since: number) {
  const endpoint = (await store.endpoints()).find((each) => each.subscription === subscription)
  if (endpoint?.isPulled === true) return []
  const states = ['pending', 'held', 'exhausted'] as const
  const read = async (page: PageQuery) => await store.deliveryPage({ subscription, states, since, ...page })
  return (await collectItems(read, MOST_ROWS)).filter(({ type }) => type.endsWith('.snapshot'))
}

async function isUndelivered(store: Store, { subscription }: SnapshotSending, since: number): Promise<boolean> {
  return (await openRows(store, subscription, since)).length > 0
}

/** `rows`: how many records there were to send when the run began; null: none has begun. */
async function throughThisProcess(sending: SnapshotSending, rows: number | null): Promise<SentSnapshot> {
  const { config, subscription, surroundings } = sending
  const { clock, signal } = surroundings
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const quiet = { log, random: Math.random, progress: () => undefined }
  const live = new LiveConfig(config)
  const startedAt = clock.now()
  await using service = await Service.open({ ...quiet, live, clock, command: 'subscriptions snapshot' })
  const work = { store: service.store, clock, config: live.config }
  // A subscription that is new here may have begun one by itself.
  const begun = rows === null && !(await isUnderWay(work, subscription)) ? await beginSnapshot(work, sending) : rows
  await service.deliver(signal)
  const run = await lastRun(service.store, subscription)
  return { rows: begun, run, isUndelivered: await isUndelivered(service.store, sending, startedAt) }
}
