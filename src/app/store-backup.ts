import { resolve } from 'node:path'
import type { LoadOptions } from '../config/load-config.ts'
import { requireStorage } from '../config/load-part.ts'
import { ShipbellError } from '../errors.ts'
import type { StoreContents } from '../store/ports/store-contents.ts'
import { backUp } from '../store/file/backup/back-up.ts'
import { restore, type Restored } from '../store/file/backup/restore.ts'
import { RESTORE } from '../store/file/store-lock.ts'
import type { Surroundings } from '../operate/open-configured-store.ts'
import { lockHolder } from './open-file-work.ts'
import { assertStoreFile, placeIn } from '../operate/open-storage.ts'

export interface CopyOfStore {
  /** The configuration that names the store. */
  readonly config: string
  /** The file as the command line names it: relative to the current folder. */
  readonly file: string
}

/** Copies the store that a configuration names, also while a daemon works on it (`backUp`). */
export async function backUpStore(
  { config, file, replace }: CopyOfStore & { readonly replace: boolean },
  surroundings: Surroundings,
): Promise<StoreContents> {
  const path = await requireFile(config, surroundings)
  assertStoreFile(path)
  return await backUp({ store: path, file: resolve(surroundings.cwd, file), replace, signal: surroundings.signal })
}

/** Replaces the store that a configuration names (`restore`). */
export async function restoreStore({ config, file }: CopyOfStore, surroundings: Surroundings): Promise<Restored> {
  const path = await requireFile(config, surroundings)
  const { clock, cwd, signal } = surroundings
  return await restore({ file: resolve(cwd, file), store: path, holder: lockHolder(RESTORE, clock), signal })
}

/** Throws `usage` where the store is in a database, which has its own tools. */
async function requireFile(config: string, surroundings: LoadOptions): Promise<string> {
  const storage = requireStorage(config, surroundings)
  if (storage.kind === 'file') return storage.path
  throw new ShipbellError(
    'usage',
    `The store is in the database ${await placeIn(storage)}: back it up with \`pg_dump\`, and bring it back with \`pg_restore\`.`,
  )
}
