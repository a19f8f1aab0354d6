import { watchedIn, type AccountSettings } from '../model/account.ts'
import { RECORD_OF, type Watchable } from '../model/resource.ts'
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
    const list = account?.lists.find((each) => each.resource === RECORD_OF[resource])
    // A list without records has no read but its pass.
    const readAt = list?.oldestReadAt ?? list?.completedAt ?? null
    const ageMs = readAt === null ? null : Math.max(now - readAt, 0)
    return { account: settings.name, resource, promiseMs: everyMs, ageMs, state: stateOf(ageMs, everyMs) }
  })
}

function stateOf(ageMs: number | null, promiseMs: number): ReadAgeState {
  if (ageMs === null) return 'unread'
  if (ageMs <= promiseMs) return 'fresh'
  return ageMs <= promiseMs + Math.max(promiseMs * GRACE_SHARE, LEAST_GRACE_MS) ? 'grace' : 'late'
}
