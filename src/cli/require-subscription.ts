import type { Store } from '../app.ts'
import type { Config } from '../config/config.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import type { Subscription } from '../model/subscription.ts'

/** A subscription as configured. Throws `usage` where the file has none of that name. */
export function requireSubscription({ file, subscriptions }: Config, name: string): Subscription {
  const subscription = subscriptions.find((each) => each.name === name)
  if (subscription !== undefined) return subscription
  const names = subscriptions.map((each) => each.name)
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  const hint = nearest === undefined ? known : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `${file} has no subscription ${JSON.stringify(name)}: ${hint}`)
}

/** Throws `not_found` where a running daemon would not send to it, because it has read an older file. */
export async function assertKnownToDaemon(store: Store, name: string): Promise<void> {
  const endpoints = await store.endpoints()
  if (endpoints.some(({ subscription, configured }) => subscription === name && configured)) return
  throw new ShipbellError(
    'not_found',
    `The running daemon does not know the subscription ${JSON.stringify(name)} yet: it reads a changed file by itself, so repeat this in a moment; \`shipbell check\` tells why it would not.`,
  )
}
