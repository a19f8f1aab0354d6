import type { Clock } from '../clock.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'

/** A pause between two of a command's many writes: a daemon that waits for the store's lock gets it. */
export async function letOthersWrite({ clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  await clock.sleep(PAUSE_MS, signal)
}
