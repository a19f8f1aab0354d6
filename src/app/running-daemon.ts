import type { Daemon } from '../report/status.ts'
import { lockHolderOf } from '../store/sqlite/store-lock.ts'

/** Commands that poll and deliver; the others hold the lock for one delivery. */
const DAEMONS = new Set(['run', 'once', 'demo'])

/** The process that polls and delivers from the store at `path`; null: none does. */
export function runningDaemon(path: string): Daemon | null {
  const holder = lockHolderOf(path)
  return holder !== null && DAEMONS.has(holder.command) ? holder : null
}
