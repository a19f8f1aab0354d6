import { statSync } from 'node:fs'
import type { ShipbellError } from '../../errors.ts'
import { unusable } from './store-file.ts'

/** An open file, and the path at which it was opened. */
export class PinnedFile {
  readonly path: string
  readonly #device: bigint
  readonly #inode: bigint

  private constructor(path: string, device: bigint, inode: bigint) {
    this.path = path
    this.#device = device
    this.#inode = inode
  }

  /** The file that is at `path` now; null: none is. */
  static at(path: string): PinnedFile | null {
    const stats = statAt(path)
    return stats === null ? null : new PinnedFile(path, stats.dev, stats.ino)
  }

  /** Tells it from every other file of the machine. */
  get identity(): string {
    return `${this.#device}:${this.#inode}`
  }

  /** Whether the path still leads to it: not where it was deleted, moved or replaced. Costs some microseconds. */
  get isInPlace(): boolean {
    const stats = statAt(this.path)
    return stats !== null && stats.ino === this.#inode && stats.dev === this.#device
  }
}

/** What is at the path; null also where the path cannot be followed any more. */
function statAt(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * The files of an open store. A write to a file that its path no longer leads to is lost: whoever opens the path next finds
 * another store, or none. The kernel does not say so; it has to be looked at, before each commit.
 */
export class StorePlace {
  readonly #store: PinnedFile
  /** The write-ahead log; null: the file system bears none. */
  readonly #log: PinnedFile | null

  /** Once something was written, so that there is a log. `store` was pinned before the file at `path` was opened. */
  constructor(store: PinnedFile, path: string) {
    this.#store = store
    this.#log = PinnedFile.at(`${path}-wal`)
  }

  /** What is out of its place; null: nothing. */
  problem(): ShipbellError | null {
    if (!this.#store.isInPlace) return unusable(storeLost(this.#store.path))
    if (this.#log?.isInPlace === false) return unusable(logLost(this.#log.path))
    return null
  }
}

function storeLost(path: string): string {
  return `The store ${path} was deleted, moved or replaced while it was open: put that very file back, or end the process that has it open and start anew with what is there.`
}

function logLost(path: string): string {
  return `The log ${path} of the store was deleted, moved or replaced while it was open: stop the process that has the store open, which writes to the store what the log held, and start it again.`
}
