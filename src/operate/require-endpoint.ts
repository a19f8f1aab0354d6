import { ShipbellError } from '../errors.ts'
import { keptForFeed, type Subscription } from '../model/subscription.ts'
import type { EndpointOverview, QueryStore } from '../store/ports/query-port.ts'

/** What the store knows of a subscription. Throws `not_found` where it has never seen one of that name. */
export async function requireEndpoint(store: Pick<QueryStore, 'endpoints'>, name: string): Promise<EndpointOverview> {
  const endpoint = (await store.endpoints()).find(({ subscription }) => subscription === name)
  if (endpoint !== undefined) return endpoint
  throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(name)}.`)
}

/** The endpoint of a subscription. Throws `wrong_state` where it is not in the configuration. */
export async function requireConfigured(store: Pick<QueryStore, 'endpoints'>, name: string): Promise<EndpointOverview> {
  const endpoint = await requireEndpoint(store, name)
  if (endpoint.configured) return endpoint
  throw new ShipbellError(
    'wrong_state',
    `${name} is not in the configuration: its events stay held until it returns, or are discarded.`,
  )
}

/** The subscriptions to which nothing is sent: their rows wait to be taken from a feed. */
export function pulledNames(endpoints: readonly EndpointOverview[]): ReadonlySet<string> {
  return new Set(endpoints.flatMap(({ isPulled, subscription }) => (isPulled ? [subscription] : [])))
}

/** Throws `wrong_state` where a subscription is read from its feed: there is no endpoint to try. */
export function refusePulled({ channel, name }: Pick<Subscription, 'channel' | 'name'>): void {
  if (keptForFeed(channel) === null) return
  throw new ShipbellError(
    'wrong_state',
    `${name} is read from its feed (\`pull\`): nothing is sent to it, a test neither.`,
  )
}
