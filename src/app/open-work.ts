import { openFileWork } from './open-file-work.ts'
import type { OpenedWork, WorkOptions } from './opened-work.ts'

/** Throws `store_locked`, `store_unusable`, `store_newer`. */
export async function openWork(options: WorkOptions, opening: AsyncDisposableStack): Promise<OpenedWork> {
  const { storage } = options.live.config
  if (storage.kind === 'file') return await openFileWork(storage, options, opening)
  const { openDatabaseWork } = await import('./open-database-work.ts')
  return await openDatabaseWork(storage, options, opening)
}
