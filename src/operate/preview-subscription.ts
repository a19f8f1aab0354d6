import { previewBatch, sendsAsOne } from '../deliver/channels/channel-kinds.ts'
import type { Preview } from '../deliver/channels/channel-kind.ts'
import type { Batch } from '../deliver/batches.ts'
import type { LinkTargets } from '../model/event-link.ts'
import { messageContext } from './message-context.ts'
import type { ShipbellEvent } from '../model/event.ts'
import type { TemplateFailure } from '../model/message-template.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchedTypes } from '../route/matches.ts'
import type { ClaimedDelivery } from '../store/ports/delivery-port.ts'

export interface PreviewedMessage extends Preview {
  /** The types of its events, each once. */
  readonly types: readonly string[]
  /** Templates that gave way to the built-in message. */
  readonly failures: readonly TemplateFailure[]
}

/** Every type of event that can be previewed: those that the subscription matches, and its tests. */
export function previewableTypes(subscription: Subscription): readonly string[] {
  return [...new Set<string>([...matchedTypes(subscription), 'shipbell.test'])]
}

/** What a subscription would be sent for these events: one message for each, or one for all, as in a digest. */
export function previewSubscription(
  subscription: Subscription,
  events: readonly ShipbellEvent[],
  targets: LinkTargets,
): readonly PreviewedMessage[] {
  return batchesOf(subscription, events).map((batch) => {
    const failures: TemplateFailure[] = []
    const preview = previewBatch(subscription.channel, batch, {
      ...messageContext(() => targets),
      templateFailed: (failure) => failures.push(failure),
    })
    return { ...preview, types: [...new Set(batch.map(({ event }) => event.type))], failures }
  })
}

function batchesOf(subscription: Subscription, events: readonly ShipbellEvent[]): readonly Batch[] {
  const { channel, name } = subscription
  const rows = events.map((event): ClaimedDelivery => ({
    id: 'preview',
    subscription: name,
    attempts: 0,
    dueAt: event.timestamp,
    rangAt: event.timestamp,
    event,
  }))
  const [first, ...rest] = rows
  if (first === undefined) return []
  return sendsAsOne(channel) ? [[first, ...rest]] : rows.map((row) => [row])
}
