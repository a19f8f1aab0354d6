import { watchedIn, type AccountSettings } from '../model/account.ts'
import { isListed, RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'

/** How old the oldest read of something is that an account watches, beside what was promised. */
export interface ReadAge {
  readonly account: string
  readonly resource: Watchable
  /** `every` of the configuration. */
  readonly promiseMs: number
  /** How long ago the oldest read was; null: nothing was read yet. */
  readonly ageMs: number | null
  readonly state: ReadAgeState
}

/** `grace`: past its promise by less than is worth a person's look. `unread`: nothing was read yet. */
export type ReadAgeState = 'fresh' | 'grace' | 'late' | 'unread'

/** What may come on top of a promise: half of it, and a few seconds for the request itself. */
const GRACE_SHARE = 0.5
const LEAST_GRACE_MS = 10_000

/**
 * The ages of all that an account watches, in the order of the configuration reference; as if nothing were read where the
 * store knows no such account.
 */
export function readAges(
  settings: Pick<AccountSettings, 'name' | 'watch'>,
  account: AccountOverview | undefined,
  now: number,
): readonly ReadAge[] {
  return watchedIn(settings.watch).map(([resource, { everyMs }]) => {
    const readAt = account === undefined ? null : readAtOf(RECORD_OF[resource], account, now)
    const ageMs = readAt === null ? null : Math.max(now - readAt, 0)
    return { account: settings.name, resource, promiseMs: everyMs, ageMs, state: stateOf(ageMs, everyMs) }
  })
}

/** When what is known of a resource was read: a list without records has no read but its pass. null: nothing was read yet. */
function readAtOf(resource: RecordResource, { lists }: Pick<AccountOverview, 'lists'>, now: number): number | null {
  const list = lists.find((each) => each.resource === resource)
  if (list === undefined) return null
  const { completedAt, oldestReadAt } = list
  if (oldestReadAt !== null || completedAt === null || isListed(resource)) return oldestReadAt ?? completedAt
  // Nothing is left that is read one by one. Of tracking the shipments said so last.
  return resource === 'tracking' ? (readAtOf('shipment', { lists }, now) ?? completedAt) : now
}

function stateOf(ageMs: number | null, promiseMs: number): ReadAgeState {
  if (ageMs === null) return 'unread'
  if (ageMs <= promiseMs) return 'fresh'
  return ageMs <= promiseMs + Math.max(promiseMs * GRACE_SHARE, LEAST_GRACE_MS) ? 'grace' : 'late'
}
