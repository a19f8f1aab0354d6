import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/ports.ts'
import { openLockedStore } from './open-locked-store.ts'
import { StoreWatch } from './store-watch.ts'
import { wholeWork } from './workers/whole-work.ts'
import type { WorkShare } from './workers/work-share.ts'

export interface WorkOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  /** What does the work, for whoever is refused: "run", "once". */
  readonly command: string
}

/** A store with the part of the work on it that this process does. */
export interface OpenedWork {
  readonly store: Store
  readonly share: WorkShare
  /** Throws `store_unusable` while nothing can be committed. */
  readonly look: () => Promise<void>
}

/** Throws `store_locked`, `store_unusable`, `store_newer`. */
export async function openWork(options: WorkOptions, opening: AsyncDisposableStack): Promise<OpenedWork> {
  const watch = new StoreWatch(options)
  const { lock, store } = await openLockedStore(options, watch, opening)
  const look = async (): Promise<void> => {
    await store.assertInPlace()
    lock.assertInPlace()
  }
  return { store, look, share: wholeWork({ ...options, store, watch, look }) }
}
