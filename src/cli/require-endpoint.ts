import type { Store } from '../app.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'

export type Endpoint = Awaited<ReturnType<Store['endpoints']>>[number]

/** What the store knows of a subscription. Throws `usage` where it has never seen one of that name. */
export async function requireEndpoint(store: Store, name: string): Promise<Endpoint> {
  const endpoints = await store.endpoints()
  const endpoint = endpoints.find(({ subscription }) => subscription === name)
  if (endpoint !== undefined) return endpoint
  const nearest = nearestName(
    name,
    endpoints.map(({ subscription }) => subscription),
  )
  const hint =
    nearest === undefined
      ? '`shipbell subscriptions list` shows them; a new one is known once the daemon has read it.'
      : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `The store knows no subscription ${JSON.stringify(name)}: ${hint}`)
}
