import type { Subscription } from '../../src/model/subscription.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { scripted, SECRET } from './conformance/sending.ts'
import { EndpointWorld } from './endpoint-world.ts'
import { status, type ScriptedReceiver } from './scripted-receiver.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** The default, but for the waits of seconds. */
export const SCHEDULE = [5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24, 24, 24, 24].map((hours) => hours * HOUR)]

export function to(name: string, { url }: ScriptedReceiver, about: Partial<Subscription> = {}): Subscription {
  return subscription(name, { channel: webhookChannel({ url, secrets: [SECRET] }), ...about })
}

/** `erp`, which is told nothing of itself, and `ops`, which is `delivery.alert`. */
export async function alertedWorld() {
  const [erp, ops] = [await scripted(status(500)), await scripted()]
  const configured = [to('erp', erp), to('ops', ops, { events: ['invoice.due'], alert: true })]
  return { erp, ops, configured, world: await EndpointWorld.create(...configured) }
}
