import { chmodSync, statSync } from 'node:fs'

const OTHERS = 0o077
const BESIDE = ['', '-wal', '-shm', '.lock']

/**
 * Takes a store and what lies beside it from everybody but its owner. Returns the files that others may still read or write:
 * they are another user's, or on a file system without permissions. Nothing is opened: closing a file would drop SQLite's locks.
 */
export function keepToOwner(path: string): readonly string[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return []
  return BESIDE.map((suffix) => path + suffix).filter((file) => !isOwnersOnly(file))
}

function isOwnersOnly(file: string): boolean {
  const mode = modeOf(file)
  if ((mode & OTHERS) === 0) return true
  try {
    chmodSync(file, mode & 0o700)
  } catch {
    return false
  }
  return (modeOf(file) & OTHERS) === 0
}

/** 0: it is not there. */
function modeOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
}
