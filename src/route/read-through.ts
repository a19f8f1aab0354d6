import { type AccountSettings, watchedIn } from '../model/account.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { isListed, RECORD_OF, type RecordResource } from '../model/resource.ts'
import type { Subscription } from '../model/subscription.ts'
import type { ReadThrough } from '../model/watermark.ts'
import { matchesAccount, matchesPatterns } from './matches.ts'

/** How a list was read. */
interface ListReads {
  readonly resource: RecordResource
  readonly passStartedAt: number | null
  readonly completedAt: number | null
  readonly completeFrom: number | null
  readonly oldestReadAt: number | null
}

interface KnownReads {
  readonly accounts: readonly AccountSettings[]
  readonly overviews: readonly { readonly account: string; readonly lists: readonly ListReads[] }[]
}

/** How far everything was read that a subscription may hear of. */
export function readThroughFor(
  subscription: Pick<Subscription, 'accounts' | 'events' | 'name' | 'alert'>,
  { accounts, overviews }: KnownReads,
): readonly ReadThrough[] {
  return accounts.flatMap(({ name: account, watch }) => {
    if (!matchesAccount(subscription, { account })) return []
    const lists = overviews.find((each) => each.account === account)?.lists ?? []
    return watchedIn(watch).flatMap(([resource]) => {
      const of = RECORD_OF[resource]
      if (!isHeard(of, subscription.events)) return []
      const list = lists.find((each) => each.resource === of)
      return [{ account, resource, readAt: list === undefined ? null : readAtOf(list) }]
    })
  })
}

function isHeard(resource: RecordResource, patterns: readonly string[]): boolean {
  return EVENT_CATALOGUE.some((each) => each.resource === resource && matchesPatterns(patterns, each.type))
}

/** While a pass goes on, or was cut short, the complete one before it counts. What an older version began says nothing of that yet. */
function readAtOf({ completedAt, completeFrom, oldestReadAt, passStartedAt, resource }: ListReads): number | null {
  if (!isListed(resource)) return oldestReadAt
  if (completedAt === null) return null
  if (passStartedAt !== null && passStartedAt <= completedAt) return passStartedAt
  if (completeFrom !== null) return completeFrom
  return Math.min(oldestReadAt ?? completedAt, completedAt)
}
