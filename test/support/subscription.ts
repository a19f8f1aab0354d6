import type { Subscription } from '../../src/model/subscription.ts'
import { webhookChannel } from './webhook-channel.ts'

/** A subscription with the defaults of the configuration that hears `*`, but for what a test is about. */
export function subscription(name: string, about: Partial<Subscription> = {}): Subscription {
  return {
    name,
    events: ['*'],
    accounts: null,
    enabled: true,
    order: 'none',
    rate: null,
    alert: false,
    filter: null,
    minShiftMs: null,
    channel: webhookChannel(),
    ...about,
  }
}
