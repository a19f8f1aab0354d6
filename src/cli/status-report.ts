import { openConfiguredStore } from '../app/configured-store.ts'
import { freshnessOf } from '../app/freshness.ts'
import { withItemReads } from '../app/item-reads.ts'
import { runningDaemon } from '../app/running-daemon.ts'
import { loadConfig, loadWatched } from '../config/load-config.ts'
import { needsOf } from '../report/needs.ts'
import { readAges } from '../report/read-age.ts'
import type { Status } from '../report/status.ts'
import type { CommandContext } from './command-context.ts'
import { assertAccountKnown } from './require-named.ts'

export interface StatusOptions {
  readonly config: string
  /** Only this account, and what needs a person but is of none. */
  readonly account?: string
}

/** From the store, without a secret: what only the configuration can say is left out where it cannot be read. */
export async function readStatus(context: CommandContext, { config: file, account }: StatusOptions): Promise<Status> {
  await using store = openConfiguredStore(file, context, 'read')
  const now = context.clock.now()
  if (account !== undefined) await assertAccountKnown(store, account, now)
  const isAsked = (name: string): boolean => account === undefined || name === account
  const { config } = loadConfig(file, context)
  const settings = (config?.accounts ?? loadWatched(file, context))?.filter(({ name }) => isAsked(name)) ?? null
  const settingsOf = (name: string) => settings?.find((each) => each.name === name)
  const known = (await store.accounts(now)).filter((each) => isAsked(each.account))
  const [accounts, endpoints, holds, waiting] = await Promise.all([
    Promise.all(known.map(async (each) => withItemReads(each, { store, now, settings: settingsOf(each.account) }))),
    store.endpoints(),
    store.holds(),
    store.deferredRows(now),
  ])
  const names = accounts.map((each) => each.account)
  const fresh = await freshnessOf(names, { store, config, now })
  const daemon = runningDaemon(file, context)
  const plans = fresh.flatMap(({ account: name, fits }) => (fits === undefined ? [] : [{ account: name, fits }]))
  const asked = { holds: holds.filter((hold) => isAsked(hold.account)), running: daemon !== null }
  const needs = needsOf({ ...asked, now, settings, accounts, endpoints, plans })
  const ages = (settings ?? []).flatMap((each) =>
    readAges(
      each,
      accounts.find((overview) => overview.account === each.name),
      now,
    ),
  )
  return { now, daemon, needs, accounts, fresh, ages, endpoints, waiting }
}
