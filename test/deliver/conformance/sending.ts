import { onTestFinished } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { openChannel } from '../../../src/deliver/channels/channel-kinds.ts'
import type { Channel, ChannelContext } from '../../../src/deliver/channels/channel.ts'
import { RenderedBodies } from '../../../src/deliver/rendered-bodies.ts'
import { type WebhookAbout, webhookChannel } from '../../support/webhook-channel.ts'
import { type ReceivedRequest, ScriptedReceiver } from '../scripted-receiver.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const NEVER = new AbortController().signal

/** A receiver that lives as long as the test. */
export async function scripted(...how: Parameters<typeof ScriptedReceiver.start>): Promise<ScriptedReceiver> {
  const receiver = await ScriptedReceiver.start(...how)
  onTestFinished(async () => await receiver[Symbol.asyncDispose]())
  return receiver
}

/** A sender to an endpoint on loopback, which lives as long as the test. */
export function senderTo(url: string, channel: WebhookAbout = {}, context: Partial<ChannelContext> = {}): Channel {
  const sender = openChannel(webhookChannel({ url, secrets: [SECRET], ...channel }), {
    clock: systemClock,
    version: '9.9.9',
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    secrets: () => [],
    bodies: new RenderedBodies(),
    ...context,
  })
  onTestFinished(async () => await sender[Symbol.asyncDispose]())
  return sender
}

/** The headers as a verifier takes them. */
export function headersOf({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** The only delivery so far. */
export function onlyRequest(receiver: ScriptedReceiver): ReceivedRequest {
  const requests = postsTo(receiver)
  const [request] = requests
  if (request === undefined || requests.length > 1) throw new Error(`${requests.length} requests were received`)
  return request
}

/** Deliveries, without what a handshake asked before. */
export function postsTo({ requests }: ScriptedReceiver): readonly ReceivedRequest[] {
  return requests.filter(({ method }) => method === 'POST')
}
