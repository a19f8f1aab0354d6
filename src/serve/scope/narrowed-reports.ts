import { ShipbellError } from '../../errors.ts'
import type { Need } from '../../report/need.ts'
import type { Status } from '../../report/status.ts'
import type { AdminReports, DeskStore } from '../admin-context.ts'
import { notServed, type Sight } from './sight.ts'

/** The reports of somebody who sees a part. */
export function narrowedReports(reports: AdminReports, store: DeskStore, sight: Sight): AdminReports {
  const { scope } = sight
  return {
    status: async (patienceMs) => await statusSeen(await reports.status(patienceMs), store, sight),
    accounts: async () => (await reports.accounts()).filter(({ account }) => sight.account(account)),
    freshness: async (accounts) => await reports.freshness(accounts.filter((name) => sight.account(name))),
    plan: notServed,
    recentEvents: async () =>
      scope.kind === 'accounts' ? await reports.recentEvents(scope.accounts) : await notServed(),
    dueInvoices: async (patienceMs) =>
      (await reports.dueInvoices(patienceMs))?.filter(({ account }) => sight.account(account)) ?? null,
    sharing: (account) => reports.sharing(account).filter((name) => sight.account(name)),
    matched: async (subscription, trial) => {
      requireSeen(subscription, sight)
      return await reports.matched(
        subscription,
        scope.kind === 'accounts' ? { ...trial, accounts: scope.accounts } : trial,
      )
    },
    channel: (subscription) => (sight.subscriptions.has(subscription) ? reports.channel(subscription) : []),
    preview: async (subscription, eventId) => {
      requireSeen(subscription, sight)
      if ((await store.event(eventId)) !== null) return await reports.preview(subscription, eventId)
      throw new ShipbellError('not_found', `There is no event ${JSON.stringify(eventId)}.`)
    },
  }
}

function requireSeen(subscription: string, sight: Sight): void {
  if (sight.subscriptions.has(subscription)) return
  throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(subscription)}.`)
}

/** What is said of accounts and subscriptions that are seen; of the daemon, whether it runs and no more. */
async function statusSeen(status: Status, store: DeskStore, sight: Sight): Promise<Status> {
  const { accounts, ages, audits, daemon, endpoints, fresh, needs, now, runs } = status
  return {
    now,
    daemon: daemon && { pid: 0, command: daemon.command, since: daemon.since, host: '' },
    workers: [],
    configuration: [],
    needs: needs.filter((need) => isAboutSeen(need, sight)),
    accounts: accounts.filter(({ account }) => sight.account(account)),
    fresh: fresh.filter(({ account }) => sight.account(account)),
    ages: ages.filter(({ account }) => sight.account(account)),
    audits: audits.filter(({ account }) => sight.account(account)),
    endpoints: endpoints.filter(({ subscription }) => sight.subscriptions.has(subscription)),
    runs: runs.flatMap((run) => sight.run(run) ?? []),
    waiting: await store.deferredRows(now),
  }
}

/** What is about Shipbell itself, or leads to the plan, is for those who see the whole. */
function isAboutSeen({ account, kind, subscription }: Need, sight: Sight): boolean {
  if (kind === 'does_not_fit') return false
  return account === undefined
    ? subscription !== undefined && sight.subscriptions.has(subscription)
    : sight.account(account)
}
