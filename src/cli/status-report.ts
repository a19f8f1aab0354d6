import { openStorage } from '../operate/open-storage.ts'
import { readStatus } from '../operate/read-status.ts'
import { runningDaemon } from '../operate/running-daemon.ts'
import { loadConfig } from '../config/load-config.ts'
import { loadWatched, storageDespite } from '../config/load-part.ts'
import { ShipbellError } from '../errors.ts'
import type { Status } from '../report/status.ts'
import type { CommandContext } from './command-context.ts'
import { assertAccountKnown } from './require-named.ts'

export interface StatusOptions {
  readonly config: string
  /** Only this account, and what needs a person but is of none. */
  readonly account?: string
}

/** From the store, without a secret: what only the configuration can say is left out where it cannot be read. */
export async function statusOf(context: CommandContext, { config: file, account }: StatusOptions): Promise<Status> {
  const { errors, storage } = storageDespite(file, context)
  await using store = await openStorage(storage, { access: 'status', clock: context.clock }).catch((error: unknown) => {
    // What the file says of its place may be what is wrong with it.
    throw errors.length > 0 ? new ShipbellError('config_invalid', errors.join('\n')) : error
  })
  const now = context.clock.now()
  if (account !== undefined) await assertAccountKnown(store, account, now)
  const { config } = loadConfig(file, { ...context, withoutWarnings: true })
  const watched = config?.accounts ?? loadWatched(file, context)
  const daemon = await runningDaemon(storage, store.workers)
  return await readStatus(store, { now, config, watched, daemon, ...(account !== undefined && { account }) })
}
