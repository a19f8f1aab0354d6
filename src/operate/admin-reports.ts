import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { outlineOf } from '../deliver/channels/channel-kinds.ts'
import { ShipbellError } from '../errors.ts'
import type { Subscription } from '../model/subscription.ts'
import { droppedWords } from '../report/dropped-words.ts'
import { once } from '../once.ts'
import type { Freshness } from '../report/freshness.ts'
import type { AdminReports } from '../serve/admin-context.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'
import type { WorkerStore } from '../store/ports/worker-port.ts'
import { planAccounts, tenantsOf } from './account-plan.ts'
import { keptDue } from './due-invoices.ts'
import { KeptReport } from './kept-report.ts'
import { freshnessOf } from './freshness.ts'
import { isReadByItem, withItemReads } from './item-reads.ts'
import type { OpenedStore } from './open-storage.ts'
import { previewSubscription } from './preview-subscription.ts'
import { readStatus, type StatusRequest } from './read-status.ts'
import { RecentLog } from './recent-events.ts'
import { runningDaemon } from './running-daemon.ts'
import { saidStall } from './said-stall.ts'
import { Trials } from './trials.ts'

export interface ReportParts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: OpenedStore
}

export function adminReports({ live, clock, store }: ReportParts): AdminReports {
  const named = (name: string): Subscription => requireSubscription(live, name)
  const plans = new KeptReport({
    live,
    clock,
    make: async ({ accounts }, making) => await planAccounts(accounts, store, making),
  })
  const freshness = keptFreshness({ live, clock, store })
  const itemReads = keptItemReads({ live, clock, store })
  let daemon: StatusRequest['daemon'] = null
  return {
    status: async (patienceMs) => {
      const { config } = live
      // Asking for a file's takes a while, and who serves this holds it.
      const workers = surveyedOnce(store.workers)
      if (daemon === null || config.storage.kind === 'postgres') daemon = await runningDaemon(config.storage, workers)
      if (daemon !== null && config.storage.kind === 'file')
        daemon = { ...daemon, stalled: saidStall(config.storage.path, daemon.pid) }
      return await readStatus(store, {
        now: clock.now(),
        config,
        watched: config.accounts,
        daemon,
        ...(workers && { workers }),
        freshness: async (names) => await freshness(names, patienceMs),
        itemReads: async (accounts) => await itemReads(accounts, patienceMs),
      })
    },
    accounts: async () => await itemReads(await store.accounts(clock.now())),
    freshness: async (names) => await freshness(names),
    plan: async () => await plans.get(),
    ...heldForToday({ live, clock, store }),
    sharing: (account) => {
      const { accounts } = live.config
      const own = accounts.find(({ name }) => name === account)
      const others = own === undefined ? [] : tenantsOf(own, accounts).filter(({ name }) => name !== account)
      return others.map(({ name }) => name)
    },
    matched: new Trials({ clock, store, named }).matched,
    channel: (name) => {
      const subscription = live.config.subscriptions.find((each) => each.name === name)
      return subscription === undefined ? [] : outlineOf(subscription.channel)
    },
    preview: async (name, eventId) => {
      const event = await store.event(eventId)
      if (event === null)
        throw new ShipbellError(
          'not_found',
          `There is no event ${JSON.stringify(eventId)}${await droppedWords(store)}.`,
        )
      if (event.expiredAt !== null)
        throw new ShipbellError('wrong_state', `The payload of ${eventId} has expired: there is nothing left to show.`)
      return previewSubscription(named(name), [event], live.config).flatMap(({ text, body, html }) => [
        { mediaType: 'text/plain', text },
        { mediaType: 'application/json', text: JSON.stringify(body, null, 2) },
        ...(html === null ? [] : [{ mediaType: 'text/html', text: html }]),
      ])
    },
  }
}

/** The workers that live, looked up once for all who ask of one status. */
function surveyedOnce(workers: OpenedStore['workers']): Pick<WorkerStore, 'survey'> | undefined {
  if (workers === undefined) return undefined
  const survey = once(async () => await workers.survey())
  return { survey }
}

/** What the page of today asks again and again: what rang lately, and what is due. */
function heldForToday(parts: ReportParts): Pick<AdminReports, 'recentEvents' | 'dueInvoices'> {
  const [recent, due] = [new RecentLog(parts.store), keptDue(parts)]
  return {
    recentEvents: async (accounts) => await recent.recent(accounts),
    dueInvoices: async (patienceMs) => await due.within(patienceMs),
  }
}

/** For who has no patience, only what is known. */
type Known<Asked, T> = (asked: readonly Asked[], patienceMs?: number) => Promise<readonly T[]>

function keptFreshness({ live, clock, store }: ReportParts): Known<string, Freshness> {
  const keptReport = new KeptReport({
    live,
    clock,
    make: async (config, making) => {
      const names = (await store.accounts(making.now)).map(({ account }) => account)
      const fresh = await freshnessOf(names, { store, config, ...making })
      return new Map(fresh.map((each) => [each.account, each]))
    },
  })
  return async (accounts, patienceMs) => {
    if (patienceMs !== undefined) {
      const soon = await keptReport.within(patienceMs)
      return accounts.map((account) => soon?.get(account) ?? { account, ceiling: null, resources: [] })
    }
    const known = await keptReport.get()
    const late = accounts.filter((name) => !known.has(name))
    const added = await freshnessOf(late, { store, config: live.config, now: clock.now() })
    return accounts.flatMap((name) => known.get(name) ?? added.find(({ account }) => account === name) ?? [])
  }
}

/** The oldest reads of what is read one by one, as they were a short while ago; all else as it is now. */
function keptItemReads({ live, clock, store }: ReportParts): Known<AccountOverview, AccountOverview> {
  const keptReport = new KeptReport({
    live,
    clock,
    // Whether a promise is kept is judged by them.
    freshMs: 10_000,
    oldestMs: 20_000,
    make: async ({ accounts }, { letOthers, now }) => {
      const settings = new Map(accounts.map((each) => [each.name, each]))
      const known = await store.accounts(now)
      return await Promise.all(
        known.map(async (each) => withItemReads(each, { store, now, settings: settings.get(each.account), letOthers })),
      )
    },
  })
  return async (accounts, patienceMs) => {
    const reads = await (patienceMs === undefined ? keptReport.get() : keptReport.within(patienceMs))
    return accounts.map((account) => withReadsOf(account, reads))
  }
}

/** An account without the lists that nobody has looked up yet: what they know grows old where nothing is read any more. */
function withReadsOf(account: AccountOverview, known: readonly AccountOverview[] | null): AccountOverview {
  if (known === null) return { ...account, lists: account.lists.filter(({ resource }) => !isReadByItem(resource)) }
  const reads = known.find((each) => each.account === account.account)?.lists
  const lists = account.lists.map((list) => {
    const same = reads?.find(({ resource }) => resource === list.resource)
    return same === undefined || !isReadByItem(list.resource) ? list : { ...list, oldestReadAt: same.oldestReadAt }
  })
  return { ...account, lists }
}

function requireSubscription({ config }: LiveConfig, name: string): Subscription {
  const subscription = config.subscriptions.find((each) => each.name === name)
  if (subscription !== undefined) return subscription
  throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(name)} in the configuration.`)
}
