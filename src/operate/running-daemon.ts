import { hostname } from 'node:os'
import type { StorageSettings } from '../config/storage.ts'
import type { Daemon } from '../report/status.ts'
import { lockHolderOf } from '../store/file/store-lock.ts'
import type { LiveWorker, WorkerStore } from '../store/ports/worker-port.ts'
import { saidStall } from './said-stall.ts'
import { servedPort } from './served-port.ts'

/** Commands that poll and deliver; the others hold the lock for one delivery. */
const DAEMONS = new Set(['run', 'once', 'demo'])

export interface RunningDaemon extends Daemon {
  /** The port of the admin interface; null: the daemon does not say. */
  readonly port: number | null
}

type Surveyor = Pick<WorkerStore, 'survey'>

/** The process that polls and delivers from a store; of several workers the one that runs longest. null: none does. */
export async function runningDaemon(storage: StorageSettings, workers?: Surveyor): Promise<RunningDaemon | null> {
  if (storage.kind === 'file') return daemonOf(storage.path)
  return (await runningWorkers(workers)).at(0) ?? null
}

/** The one whose admin interface can be reached from here: of several workers one of this machine. */
export async function daemonHere(storage: StorageSettings, workers?: Surveyor): Promise<RunningDaemon | null> {
  if (storage.kind === 'file') return daemonOf(storage.path)
  const here = (await runningWorkers(workers)).filter(({ host }) => host === hostname())
  return here.find(({ port }) => port !== null) ?? here.at(0) ?? null
}

function daemonOf(path: string): RunningDaemon | null {
  const holder = lockHolderOf(path)
  if (holder === null || !DAEMONS.has(holder.command)) return null
  return { ...holder, port: servedPort(path, holder.pid), stalled: saidStall(path, holder.pid) }
}

async function runningWorkers(store: Surveyor | undefined): Promise<readonly RunningDaemon[]> {
  const { workers } = (await store?.survey()) ?? { workers: [] }
  return workers.filter(({ command }) => DAEMONS.has(command)).map(daemonOfWorker)
}

function daemonOfWorker({ command, host, pid, port, since, stalled = null }: LiveWorker): RunningDaemon {
  return { command, host, pid, port, stalled, since: new Date(since).toISOString() }
}
