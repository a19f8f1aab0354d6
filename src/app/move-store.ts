import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { requireStorage } from '../config/load-part.ts'
import { storageNamed, type StorageSettings } from '../config/storage.ts'
import { interpolated, variablesBeside } from '../config/variables.ts'
import { ShipbellError } from '../errors.ts'
import {
  type ArrivingStore,
  type CopiedStore,
  type CopyProgress,
  copyStore,
  type LeavingStore,
} from '../store/copy/copy-store.ts'
import { DatabaseEnd } from '../store/copy/copy-ends.postgres.ts'
import { LONGEST_ID } from '../store/server/open-store.ts'
import { ArrivingFile, LeavingFile } from '../store/copy/copy-ends.sqlite.ts'
import type { LockHolder } from '../store/file/store-lock.ts'
import type { Surroundings } from '../operate/open-configured-store.ts'
import { lockHolder } from './open-file-work.ts'
import { assertStoreFile } from '../operate/open-storage.ts'

export interface StoreMove {
  /** The configuration that names the store. */
  readonly config: string
  /** The address of a database, or a file, as on the command line; it may hold `${VAR}` as configurations do. */
  readonly to: string
  readonly progress: (progress: CopyProgress) => void
}

interface MovedStore extends CopiedStore {
  /** What the store is in now. */
  readonly kind: StorageSettings['kind']
}

/**
 * Moves the store that a configuration names from a file to a database, or back (`copyStore`). Throws `usage`, `store_locked` where
 * somebody works on one of the two, `store_unusable`, `store_newer` and `store_moved`.
 */
export async function moveStore({ config, progress, to }: StoreMove, surroundings: Surroundings): Promise<MovedStore> {
  const { clock, cwd, signal } = surroundings
  const left = requireStorage(config, surroundings)
  const beside = path.dirname(path.resolve(cwd, config))
  const place = interpolated(to, variablesBeside(beside, { env: surroundings.env, note: () => undefined }))
  const taken = storageNamed(place, cwd)
  if (left.kind === taken.kind) throw sameKind(left)
  const holder = lockHolder('store copy', clock)
  await using opening = new AsyncDisposableStack()
  const leaving = opening.use(await openLeaving(left, holder))
  const arriving = opening.use(await openArriving(taken, holder))
  const copied = await copyStore({ from: leaving, to: arriving, id: randomUUID(), progress, signal })
  return { ...copied, kind: taken.kind }
}

async function openLeaving(storage: StorageSettings, holder: LockHolder): Promise<LeavingStore> {
  if (storage.kind === 'postgres') return await DatabaseEnd.open(storage.url)
  assertStoreFile(storage.path)
  return LeavingFile.open({ path: storage.path, holder, longestId: LONGEST_ID })
}

async function openArriving(storage: StorageSettings, holder: LockHolder): Promise<ArrivingStore> {
  if (storage.kind === 'postgres') return await DatabaseEnd.open(storage.url)
  return ArrivingFile.open(storage.path, holder)
}

function sameKind({ kind }: StorageSettings): ShipbellError {
  const problem =
    kind === 'file'
      ? 'The store is in a file: name a database (postgres://…) in `--to`; `shipbell backup` copies it to another file.'
      : 'The store is in a database: name a file in `--to`; `pg_dump` copies it to another database.'
  return new ShipbellError('usage', problem)
}
