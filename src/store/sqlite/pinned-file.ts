import { statSync } from 'node:fs'

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

/** null also where the path cannot be followed any more. */
function statAt(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
