import { requireStorage, type LoadOptions } from '../config/load-config.ts'
import type { Daemon } from '../report/status.ts'
import { lockHolderOf } from '../store/sqlite/store-lock.ts'

/** Commands that poll and deliver; the others hold the lock for one delivery. */
const DAEMONS = new Set(['run', 'once', 'demo'])

/** The process that polls and delivers from the store that a configuration names; null: none does. */
export function runningDaemon(file: string, options: LoadOptions): Daemon | null {
  const holder = lockHolderOf(requireStorage(file, options).path)
  return holder !== null && DAEMONS.has(holder.command) ? holder : null
}
