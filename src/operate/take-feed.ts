import type { Clock } from '../clock.ts'
import { ShipbellError, WrongValue } from '../errors.ts'
import type { FeedStore } from '../store/ports/feed-port.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** Few enough that a claim or a commit hardly waits for the store. */
const AT_ONCE = 500

interface Taking {
  readonly store: FeedStore & Pick<QueryStore, 'endpoints'>
  readonly clock: Clock
  readonly subscription: string
  /** All up to this number was taken. */
  readonly position: number
}

/**
 * Delivers what was taken from a feed. Resolves to how many rows. What is cut short is done by the next that is taken. Throws `not_found`,
 * `wrong_state` where the subscription is sent to, `usage` where nothing has the number yet.
 */
export async function takeFeed({ clock, position, store, subscription }: Taking): Promise<number> {
  const { isPulled } = await requireEndpoint(store, subscription)
  if (!isPulled) {
    const problem = `${subscription} is sent to, and nothing is taken from its feed: only \`pull\` is acknowledged.`
    throw new ShipbellError('wrong_state', problem)
  }
  const head = (await store.feedPart({ subscription, after: position, limit: 0 }))?.head ?? 0
  if (position > head)
    throw new WrongValue(
      'position',
      `The feed of ${subscription} goes to ${head}: nothing has the position ${position}.`,
    )
  for (let rows = 0; ;) {
    const ending = { kind: 'taken', position } as const
    const { ended, isDone } = await store.endFeed({ subscription, ending, at: clock.now(), most: AT_ONCE })
    rows += ended
    if (isDone) return rows
    await clock.sleep(0)
  }
}
