import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLocked } from '../store-lock.ts'
import { PinnedFile } from '../store-place.ts'

const SUFFIX = '.partial'

/** What SQLite makes beside a database. */
const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * A file that is made beside its place, for its owner alone, and takes it once it is whole and on the disk. What does not get so
 * far is removed with whatever SQLite made beside it; of a process that was killed it stays, and nobody takes it for whole.
 */
export class PartialFile implements Disposable {
  readonly path: string
  readonly #target: string

  /** Throws what the file system says. */
  constructor(target: string) {
    this.#target = target
    this.path = `${target}.${randomBytes(4).toString('hex')}${SUFFIX}`
    closeSync(openSync(this.path, 'wx', 0o600))
  }

  /** Replaces what is at its place. Throws what the file system says. */
  publish(): void {
    sync(this.path)
    renameSync(this.path, this.#target)
    syncFolder(dirname(this.#target))
  }

  [Symbol.dispose](): void {
    for (const suffix of ['', ...BESIDE]) rmSync(this.path + suffix, { force: true })
  }
}

/** Removes what processes that were killed left. Only where no other process makes the same file now. */
export function removePartials(target: string, but: PartialFile): void {
  const folder = dirname(target)
  const kept = basename(but.path)
  for (const name of readdirSync(folder)) {
    const isPartial = name.startsWith(`${basename(target)}.`) && /\.[0-9a-f]{8}\.partial(?:-[a-z]+)?$/.test(name)
    if (isPartial && !name.startsWith(kept)) rmSync(join(folder, name), { force: true })
  }
}

/** The first file of another database's that lies at `path` or beside it and would be taken for its log; null: there is none. */
export function strayLog(path: string): string | null {
  return BESIDE.map((suffix) => path + suffix).find((file) => existsSync(file)) ?? null
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** So that the name is on the disk as well. Windows opens no folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const KEPT = '.before-restore-'

/** The name that a store keeps after a restore that began at `since` (ISO); no file has it yet. */
export function keptNameOf(store: string, since: string): string {
  const name = `${store}${KEPT}${since.replaceAll(/[-:]|\.\d+/g, '')}`
  let free = name
  for (let nth = 2; existsSync(free); nth += 1) free = `${name}-${nth}`
  return free
}

/**
 * A restore that was killed just before its last step leaves the old store in its place with a second name, under which it was
 * to be kept. That name goes. Nothing is opened.
 */
export function endInterruptedRestore(store: string, options: { readonly locked: boolean }): void {
  if ((statSync(store, { throwIfNoEntry: false })?.nlink ?? 1) < 2) return
  if (!options.locked && isLocked(store)) return
  const identity = PinnedFile.at(store)?.identity
  const names = readdirSync(dirname(store)).filter((name) => name.startsWith(basename(store) + KEPT))
  for (const name of names.map((each) => join(dirname(store), each))) {
    if (PinnedFile.at(name)?.identity === identity) unlinkSync(name)
  }
}
