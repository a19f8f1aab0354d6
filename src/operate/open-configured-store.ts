import type { Clock } from '../clock.ts'
import type { LoadOptions } from '../config/load-config.ts'
import { requireStorage } from '../config/load-part.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import { openStorage, type OpenedStore, type Opening } from './open-storage.ts'

/** What of the process finding and opening a configuration takes. */
export type Surroundings = LoadOptions & { readonly clock: Clock; readonly signal: AbortSignal }

/** The store that a configuration names, for commands that need no other secret and no lock. */
export async function openConfiguredStore(
  file: string,
  surroundings: LoadOptions & { readonly clock: Clock },
  access: Opening['access'],
): Promise<OpenedStore> {
  return await openStorage(requireStorage(file, surroundings), { access, clock: surroundings.clock })
}

/** A pause between two of a command's many writes: a daemon that waits for the store's lock gets it. */
export async function letOthersWrite({ clock, signal }: Pick<Surroundings, 'clock' | 'signal'>): Promise<void> {
  await clock.sleep(PAUSE_MS, signal)
}
