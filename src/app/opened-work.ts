import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import type { OpenedStore } from '../operate/open-storage.ts'
import type { WorkShare } from './workers/work-share.ts'

export interface WorkOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  /** What does the work, for whoever is refused: "run", "once". */
  readonly command: string
  /** Waits for a database that is away until then; left out: it does not wait. */
  readonly waiting?: AbortSignal | undefined
}

/** A store with the part of the work on it that this process does. */
export interface OpenedWork {
  readonly store: OpenedStore
  readonly share: WorkShare
  /** Whether a store was here before, which is gone. Left out: it cannot be known. */
  readonly isBegunAnew?: boolean
  /** Throws `store_unusable` unless a write would succeed now. */
  readonly assertUsable: () => Promise<void>
  /** Aborts, with the error that says why, where this process can never go on beside the store. */
  readonly outdated: AbortSignal
  /** The longest identifier that the store can keep, in UTF-16 code units. */
  readonly longestId: number
  /** Deliveries were committed: other processes may have a look at once. */
  readonly ring: () => void
  /** What the store takes on the disk. */
  readonly bytes: () => Promise<number>
  /** Tells other processes on which port this one serves, until that is disposed of. */
  readonly sayPort: (port: number) => Disposable
  /** Tells others, `status` above all, that the work of this process stalls, or (null) that it goes on. */
  readonly sayStall: (problem: string | null) => void
}
