import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import { lockStore } from '../store/sqlite/store-lock.ts'
import { lockHolder } from './lock-holder.ts'

/** Whether another process polls and delivers from the store at `path`. */
export function isDaemonAt(
  path: string,
  { command, clock }: { readonly command: string; readonly clock: Clock },
): boolean {
  try {
    lockStore(path, lockHolder(command, clock))[Symbol.dispose]()
    return false
  } catch (error) {
    if (error instanceof ShipbellError && error.code === 'store_locked') return true
    throw error
  }
}
