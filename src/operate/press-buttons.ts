import { refreshMessage } from '../deliver/channels/channel-kinds.ts'
import { openAmong } from '../deliver/channels/chat/open-among.ts'
import { RenderedBodies } from '../deliver/rendered-bodies.ts'
import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import type { ShipbellEvent } from '../model/event.ts'
import { exceptionState, type KeptException } from '../model/exception.ts'
import type { LivingMessage, LivingPlace } from '../model/living-message.ts'
import { withoutOmitted } from '../model/omit.ts'
import { ALL } from '../model/scope.ts'
import { signingSecretOf } from '../model/subscription.ts'
import type { AdminContext } from '../serve/admin-context.ts'
import type { Pressed } from '../serve/pressed/pressed.ts'
import type { Store } from '../store/ports/store.ts'
import { readVersion } from '../version.ts'
import { messageContext } from './message-context.ts'

interface RefreshParts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly store: Pick<Store, 'event' | 'exceptionPage' | 'livingMessage' | 'saveLivingMessage'>
  readonly signal: AbortSignal
}

interface PressParts extends RefreshParts {
  readonly actionsOf: AdminContext['actionsOf']
}

/** How often a message is shown anew that was told something meanwhile. */
const MOST_REFRESHES = 3

/**
 * Acknowledges what is open of a shipment for somebody in Slack, and shows that in its message. Slack wants to hear within three
 * seconds, so nobody waits for the message.
 */
export function pressButtons(parts: PressParts): AdminContext['pressed'] {
  return async ({ place, user }: Pressed) => {
    const { actionsOf, clock, store } = parts
    const by = `slack:${user}`
    const now = clock.now()
    const known = await store.livingMessage(place)
    const exceptions = await openAmong(store, { ...place, events: await eventsOf(store, known), now })
    const actions = actionsOf({ role: 'operator', name: by, scope: ALL })
    for (const each of exceptions)
      if (exceptionState(each, now) === 'open') await actions.acknowledge(each.id, { by, note: null, until: null })
    void refreshed(parts, place)
  }
}

/** Shows in the messages with buttons, one after another, that somebody sees to an exception by other means, or no longer does. */
export function showAcknowledged(parts: RefreshParts): (exception: KeptException) => void {
  let shown = Promise.resolve()
  return (exception) => {
    shown = showAfter(shown, parts, exception)
  }
}

async function showAfter(earlier: Promise<void>, parts: RefreshParts, exception: KeptException): Promise<void> {
  await earlier
  try {
    for (const place of await placesOf(parts, exception)) await refreshed(parts, place)
  } catch (error) {
    parts.log.warn({ error: String(error) }, 'slack.not_refreshed')
  }
}

/** The messages that may show an exception. */
async function placesOf({ live, store }: RefreshParts, exception: KeptException): Promise<readonly LivingPlace[]> {
  const { account, eventId, resource, subjectId } = exception
  const hearers = live.config.subscriptions.filter(
    ({ accounts, channel }) => signingSecretOf(channel) !== null && accounts?.includes(account) !== false,
  )
  if (hearers.length === 0) return []
  const event = resource === 'shipment' || eventId === null ? null : await store.event(eventId)
  const shipment = resource === 'shipment' ? subjectId : (event?.shipment?.id ?? null)
  return shipment === null ? [] : hearers.map(({ name }) => ({ subscription: name, account, shipment }))
}

async function refreshed(parts: RefreshParts, place: LivingPlace): Promise<void> {
  const { shipment, subscription } = place
  try {
    await refresh(parts, place)
  } catch (error) {
    parts.log.warn({ subscription, shipment, error: String(error) }, 'slack.not_refreshed')
  }
}

/** Shows the message of a shipment as it stands; again, where it was told something meanwhile. */
async function refresh(parts: RefreshParts, place: LivingPlace): Promise<void> {
  const { clock, live, signal, store } = parts
  const channel = live.config.subscriptions.find(({ name }) => name === place.subscription)?.channel
  if (channel === undefined) return
  const context = {
    clock,
    version: readVersion(),
    allowNetworks: live.config.delivery.allowNetworks,
    secrets: () => live.secrets,
    bodies: new RenderedBodies(),
    living: store,
    ...messageContext(() => live.config),
  }
  let shown = await store.livingMessage(place)
  for (let round = 0; round < MOST_REFRESHES && shown !== null; round += 1) {
    const [first, ...more] = (await eventsOf(store, shown)).map((event) => withoutOmitted(event, channel.omit))
    if (first === undefined) return
    await refreshMessage(channel, { message: shown, events: [first, ...more] }, { context, signal })
    const after: LivingMessage | null = await store.livingMessage(place)
    if (after?.ts === shown.ts && after?.shown.join() === shown.shown.join()) return
    shown = after
  }
}

/** The events that a message shows, but for those whose payload has expired. */
async function eventsOf(store: Pick<Store, 'event'>, message: LivingMessage | null): Promise<readonly ShipbellEvent[]> {
  const events = await Promise.all((message?.shown ?? []).map(async (id) => await store.event(id)))
  return events.flatMap((event) => (event === null || event.expiredAt !== null ? [] : event))
}
