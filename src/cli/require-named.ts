import type { Store } from '../store/ports/store.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import type { Config } from '../config/config.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Subscription } from '../model/subscription.ts'

/** The account that a command is about: the one named, or the only one. Throws `usage` where neither says which. */
export function requireAccount({ file, accounts }: Config, name: string | undefined): AccountSettings {
  const names = accounts.map((each) => each.name)
  const [only] = accounts
  if (name === undefined) {
    if (only !== undefined && accounts.length === 1) return only
    throw new ShipbellError('usage', `${file} has several accounts: choose one with --account (${names.join(', ')}).`)
  }
  const account = accounts.find((each) => each.name === name)
  if (account !== undefined) return account
  const nearest = nearestName(name, names)
  const hint =
    nearest === undefined ? `it has ${names.length === 0 ? 'none' : names.join(', ')}.` : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `${file} has no account ${JSON.stringify(name)}: ${hint}`)
}

/** What the store knows of a subscription. Throws `usage` where it has never seen one of that name. */
export async function requireEndpoint(store: Store, name: string): Promise<EndpointOverview> {
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

/** A subscription as configured. Throws `usage` where the file has none of that name. */
export function requireSubscription({ file, subscriptions }: Config, name: string): Subscription {
  const subscription = subscriptions.find((each) => each.name === name)
  if (subscription !== undefined) return subscription
  const names = subscriptions.map((each) => each.name)
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'it has none.' : `it has ${names.join(', ')}.`
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

/** Throws `usage` where the store knows accounts, but none of that name. */
export async function assertAccountKnown(store: Store, name: string, now: number): Promise<void> {
  const names = (await store.accounts(now)).map(({ account }) => account)
  if (names.length === 0 || names.includes(name)) return
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `it knows ${names.join(', ')}.` : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `The store knows no account ${JSON.stringify(name)}: ${hint}`)
}
