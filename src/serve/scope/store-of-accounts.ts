import type { FeedItem } from '../../store/ports/feed-port.ts'
import type { Page } from '../../model/page.ts'
import type { DeskStore } from '../admin-context.ts'
import { notServed, type Sight } from './sight.ts'

/** Nothing, as a page. */
const NOTHING: Page<never> = { items: [], next: null }

/** The store as a token of accounts sees it: what is of others is not there, in no list, sum or answer to an id. */
export function storeOfAccounts(full: DeskStore, sight: Sight, accounts: readonly string[]): DeskStore {
  return { ...lookups(full, sight), ...logLists(full, sight, accounts), ...recordLists(full, sight, accounts) }
}

type Lookups =
  | 'event'
  | 'story'
  | 'deliveries'
  | 'attempts'
  | 'accounts'
  | 'endpoints'
  | 'deferredRows'
  | 'holds'
  | 'changesSeen'
  | 'feedPart'
  | 'snapshotRuns'
  | 'records'

function lookups(full: DeskStore, sight: Sight): Pick<DeskStore, Lookups> {
  const isSeen = ({ account }: { readonly account: string | null }): boolean => sight.account(account)
  const rowsSeen: DeskStore['deliveries'] = async (ids) =>
    (await full.deliveries(ids)).filter((row) => sight.delivery(row))
  return {
    event: async (id) => onlyIf(await full.event(id), isSeen),
    story: async (id) => onlyIf(await full.story(id), ({ event }) => isSeen(event)),
    deliveries: rowsSeen,
    attempts: async (id) => ((await rowsSeen([id])).length === 0 ? [] : await full.attempts(id)),
    accounts: async (now) => (await full.accounts(now)).filter(isSeen),
    endpoints: async () => (await full.endpoints()).filter(({ subscription }) => sight.subscriptions.has(subscription)),
    deferredRows: async (now, subscription) => {
      const asked = subscription === undefined ? [...sight.subscriptions] : [subscription]
      const seen = asked.filter((name) => sight.subscriptions.has(name))
      const amounts = await Promise.all(seen.map(async (name) => await full.deferredRows(now, name)))
      return amounts.reduce((sum, amount) => sum + amount, 0)
    },
    holds: async () => (await full.holds()).filter(isSeen),
    changesSeen: async (account, query) => (sight.account(account) ? await full.changesSeen(account, query) : []),
    // Each row keeps its number, whatever it is of: what the subscription heard of others once is not shown.
    feedPart: async (query) => {
      const part = sight.subscriptions.has(query.subscription) ? await full.feedPart(query) : null
      return part && { ...part, items: part.items.map((item) => (isSeen(item.event) ? item : withoutPayload(item))) }
    },
    snapshotRuns: async (query) => (await full.snapshotRuns(query)).flatMap((run) => sight.run(run) ?? []),
    records: async (account, resource, ids) =>
      sight.account(account) ? await full.records(account, resource, ids) : new Map(),
  }
}

type LogLists =
  | 'eventPage'
  | 'deliveryPage'
  | 'retryable'
  | 'countRetryable'
  | 'eventsNamed'
  | 'logEnds'
  | 'eventHours'
  | 'failures'
  | 'quarantine'
  | 'exceptionPage'

function logLists(full: DeskStore, sight: Sight, accounts: readonly string[]): Pick<DeskStore, LogLists> {
  const subscriptions = [...sight.subscriptions]
  const isSeen = ({ account }: { readonly account: string | null }): boolean => sight.account(account)
  return {
    eventPage: async (query) =>
      await sight.page('events', { ...query, accounts }, async (asked) => await full.eventPage(asked)),
    deliveryPage: async (query) =>
      await sight.page('deliveries', { ...query, accounts, subscriptions }, async (asked) =>
        asked.account !== undefined && !sight.account(asked.account) ? NOTHING : await full.deliveryPage(asked),
      ),
    // Actions count and take them, which are narrowed by themselves.
    retryable: notServed,
    countRetryable: notServed,
    eventsNamed: async (name, options) => await full.eventsNamed(name, { ...options, accounts }),
    logEnds: async () => ({ droppedTo: (await full.logEnds()).droppedTo, lastPlace: 0 }),
    eventHours: async (since) => (await full.eventHours(since)).filter(isSeen),
    failures: async (filter) => await full.failures({ ...filter, accounts, subscriptions }),
    quarantine: async (query) => {
      const { account } = query
      if (account === undefined) return await notServed()
      if (!sight.account(account)) return NOTHING
      return await sight.page('quarantine', query, async (asked) => await full.quarantine(asked))
    },
    exceptionPage: async (query) =>
      await sight.page('exceptions', { ...query, accounts }, async (asked) => await full.exceptionPage(asked)),
  }
}

function recordLists(
  full: DeskStore,
  sight: Sight,
  accounts: readonly string[],
): Pick<DeskStore, 'recordPage' | 'recordDetail' | 'slips' | 'reliability' | 'pastArrivals'> {
  return {
    recordPage: async (query) => {
      const list = query.resource === undefined ? 'search' : 'records'
      return await sight.page(list, { ...query, accounts }, async (asked) => await full.recordPage(asked))
    },
    recordDetail: async (key) => (sight.account(key.account) ? await full.recordDetail(key) : null),
    reliability: async (query) => await full.reliability({ ...query, accounts }),
    pastArrivals: async (query) => (sight.account(query.account) ? await full.pastArrivals(query) : []),
    slips: async (query) => await sight.page('slips', { ...query, accounts }, async (asked) => await full.slips(asked)),
  }
}

function withoutPayload(item: FeedItem): FeedItem {
  return { ...item, event: { ...item.event, expiredAt: item.event.expiredAt ?? item.event.timestamp } }
}

function onlyIf<T>(found: T | null, isSeen: (found: T) => boolean): T | null {
  return found !== null && isSeen(found) ? found : null
}
