import { resolve } from 'node:path'
import { requireStorage } from '../config/load-config.ts'
import type { StoreContents } from '../store/store-contents.ts'
import { backUp } from '../store/sqlite/backup/back-up.ts'
import { restore, type Restored } from '../store/sqlite/backup/restore.ts'
import { RESTORE } from '../store/sqlite/store-lock.ts'
import { assertStore, type Surroundings } from './configured-store.ts'
import { lockHolder } from './open-locked-store.ts'

export interface CopyOfStore {
  /** The configuration that names the store. */
  readonly config: string
  /** As on the command line: relative to the current folder. */
  readonly file: string
}

/** Copies the store that a configuration names, also while a daemon works on it (`backUp`). */
export async function backUpStore(
  { config, file, replace }: CopyOfStore & { readonly replace: boolean },
  surroundings: Surroundings,
): Promise<StoreContents> {
  const { path } = requireStorage(config, surroundings)
  assertStore(path)
  return await backUp({ store: path, file: resolve(surroundings.cwd, file), replace, signal: surroundings.signal })
}

/** Replaces the store that a configuration names (`restore`). */
export async function restoreStore({ config, file }: CopyOfStore, surroundings: Surroundings): Promise<Restored> {
  const { path } = requireStorage(config, surroundings)
  const { clock, cwd, signal } = surroundings
  return await restore({ file: resolve(cwd, file), store: path, holder: lockHolder(RESTORE, clock), signal })
}
