import { openConfiguredStore } from '../app/open-configured-store.ts'
import { readStatus } from '../app/read-status.ts'
import { runningDaemon } from '../app/running-daemon.ts'
import { loadConfig, loadWatched, requireStorage } from '../config/load-config.ts'
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
  await using store = await openConfiguredStore(file, context, 'status')
  const now = context.clock.now()
  if (account !== undefined) await assertAccountKnown(store, account, now)
  const { config } = loadConfig(file, { ...context, withoutWarnings: true })
  const watched = config?.accounts ?? loadWatched(file, context)
  const daemon = await runningDaemon(requireStorage(file, context), store.workers)
  return await readStatus(store, { now, config, watched, daemon, ...(account !== undefined && { account }) })
}
