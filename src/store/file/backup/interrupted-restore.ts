import { existsSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLocked } from '../store-lock.ts'
import { PinnedFile } from '../store-place.ts'

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
