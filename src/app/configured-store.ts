import { existsSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { LoadOptions } from '../config/load-config.ts'
import { requireStorage } from '../config/require-config.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import { ShipbellError } from '../errors.ts'
import type { Store } from '../store/ports.ts'
import { openStore } from '../store/sqlite/open-store.ts'
import { hasLock } from '../store/sqlite/store-lock.ts'

/** Of the process: what finding and opening a configuration takes. */
export type Surroundings = LoadOptions & { readonly clock: Clock; readonly signal: AbortSignal }

/** Throws `store_unusable` where no daemon has made the store yet. */
export function assertStore(path: string): void {
  if (existsSync(path)) return
  const problem = hasLock(path)
    ? `The store ${path} was deleted or moved, but for its lock: put the file back, or correct storage.path.`
    : `There is no store at ${path} yet: start the daemon with \`shipbell run\` first.`
  throw new ShipbellError('store_unusable', problem)
}

/** The store that a configuration names, for commands that need no secret and no lock. */
export function openConfiguredStore(file: string, surroundings: LoadOptions, access: 'read' | 'write'): Store {
  const { path } = requireStorage(file, surroundings)
  assertStore(path)
  return openStore({ path, readonly: access === 'read' })
}

/** A pause between two of a command's many writes: a daemon that waits for the store's lock gets it. */
export async function letOthersWrite({ clock, signal }: Pick<Surroundings, 'clock' | 'signal'>): Promise<void> {
  await clock.sleep(PAUSE_MS, signal)
}
