import type { AccountSettings } from '../model/account.ts'
import { isListed, type RecordResource } from '../model/resource.ts'
import { watchedPreparations } from '../poll/items/created-preparations.ts'
import { trackedShipments } from '../poll/schedule/known-units.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'
import type { Store } from '../store/ports/store.ts'

interface ItemReadOptions {
  readonly store: Pick<Store, 'trackedShipments' | 'known' | 'records'>
  readonly settings: Pick<AccountSettings, 'name' | 'watch'> | undefined
  readonly now: number
  /** Called between small steps. Left out: nobody waits. */
  readonly letOthers?: () => Promise<void>
}

/** Whether a resource has no list, so that nothing else knows what is read no more. */
export function isReadByItem(resource: RecordResource): boolean {
  return !isListed(resource)
}

/**
 * An account whose oldest reads of tracking and order preparations are of what is still read one by one: shipments that are
 * long closed, and references that are configured no more, keep a last read that grows old.
 */
export async function withItemReads(account: AccountOverview, options: ItemReadOptions): Promise<AccountOverview> {
  const lists = account.lists.map(async (list) => {
    const oldest = await oldestItemRead(list.resource, options, account.account)
    return oldest === undefined ? list : { ...list, oldestReadAt: oldest }
  })
  return { ...account, lists: await Promise.all(lists) }
}

/**
 * When the item was read that waited longest; null: none was read; undefined: the resource is not read one by one, or nobody
 * can say what still is.
 */
async function oldestItemRead(
  resource: RecordResource,
  { letOthers, now, settings, store }: ItemReadOptions,
  account: string,
): Promise<number | null | undefined> {
  if (resource === 'tracking') {
    let oldest = Number.POSITIVE_INFINITY
    for await (const shipments of trackedShipments(account, { store, now, letOthers }))
      for (const { lastSentAt } of shipments) oldest = Math.min(oldest, lastSentAt ?? oldest)
    return Number.isFinite(oldest) ? oldest : null
  }
  const references = settings?.watch.order_preparations?.references
  if (resource !== 'order_preparation' || references === undefined) return undefined
  const watched = await watchedPreparations(store, { account, references })
  const reads = [...(await store.known(account, resource, watched)).values()].map(({ lastRead }) => lastRead.sentAt)
  return reads.length === 0 ? null : Math.min(...reads)
}

/** The accounts of the store, with the oldest reads of what is still read one by one. */
export async function followedReads(
  store: ItemReadOptions['store'] & Pick<Store, 'accounts'>,
  { accounts, now }: { readonly accounts: readonly AccountSettings[]; readonly now: number },
): Promise<readonly AccountOverview[]> {
  const overviews: AccountOverview[] = []
  for (const each of await store.accounts(now)) {
    const settings = accounts.find(({ name }) => name === each.account)
    overviews.push(await withItemReads(each, { store, settings, now }))
  }
  return overviews
}
