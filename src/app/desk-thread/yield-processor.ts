import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How far the thread gives way, as `nice` counts. */
const NICENESS = 10

/**
 * Lets other threads of the process go first where there are more of them than processors. Linux alone has a priority for each
 * thread, by the number that `/proc` knows it by; elsewhere all stay equal.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS)
  } catch {
    // There is no `/proc`: nothing is lost but the preference.
  }
}
