import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { LockHolder } from '../store/sqlite/store-lock.ts'

/** How this process names itself in the store's lock, for whoever is refused. */
export function lockHolder(command: string, clock: Clock): LockHolder {
  return { pid: process.pid, command, since: new Date(clock.now()).toISOString(), host: hostname() }
}
