import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { withOwned } from '../../model/scope.ts'
import type { Subscription } from '../../model/subscription.ts'
import { redact } from '../../redact.ts'
import { endpointJson } from '../../report/endpoint.ts'
import { runtimeJson } from '../../report/runtime-subscription.ts'
import type { Asker, DeskStore } from '../admin-context.ts'
import type { AskedWrongly } from '../runtime-actions.ts'
import type { Desk, Desks } from '../scope/desks.ts'

/** A subscription that was just made, with its secret, as whoever made it is shown it this once. */
export interface MadeSubscription {
  readonly name: string
  readonly subscription: JsonObject
}

/** Makes a subscription on behalf of somebody. Throws what `subscribe` of `RuntimeActions` does. */
export async function subscribeFor(
  desks: Desks,
  asker: Asker,
  keys: JsonObject,
): Promise<AskedWrongly | MadeSubscription> {
  const came = await desks.deskOf(asker).actionsOf(asker).subscribe(keys)
  if ('problems' in came) return came
  return await madeSubscription(desks.deskOf({ ...asker, scope: withOwned(asker.scope, came.name) }), came)
}

/** What is shown of a subscription that was just made. */
export async function madeSubscription(
  desk: SubscriptionDesk,
  { name, secret }: { readonly name: string; readonly secret: string | null },
): Promise<MadeSubscription> {
  return { name, subscription: { ...(await subscriptionJson(desk, name)), secret } }
}

/** What it takes to show a subscription. */
type SubscriptionDesk = Pick<Desk, 'clock' | 'subscriptions'> & {
  readonly store: Pick<DeskStore, 'endpoints' | 'snapshotRuns'>
}

/** One subscription: as lists show it, and what was asked for where it was made at run time; nothing of it that may be secret. */
export async function subscriptionJson(
  { clock, store, subscriptions }: SubscriptionDesk,
  asked: string,
): Promise<JsonObject> {
  const found = (await store.endpoints()).find(({ subscription }) => subscription === asked)
  if (found === undefined) throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(asked)}.`)
  const settings = subscriptions().find((each) => each.name === asked)
  const [run] = await store.snapshotRuns({ which: 'last', subscription: asked })
  return {
    ...endpointJson(found, clock.now(), run),
    ...runtimeJson(found, settings === undefined ? null : shownUrl(settings)),
  }
}

/** Where events are posted, without what of that may be secret. */
function shownUrl({ channel }: Subscription): string | null {
  return 'url' in channel ? redact(channel.url, channel.hidden) : null
}
