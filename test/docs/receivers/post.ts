import { request } from 'undici'
import { systemClock, type Clock } from '../../../src/clock.ts'
import { postingTo } from '../../../src/config/channel-kinds.ts'
import { openChannel } from '../../../src/deliver/channels/channel-kinds.ts'
import { RenderedBodies } from '../../../src/deliver/rendered-bodies.ts'
import { startHttpServer } from '../../../src/http-server.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'

interface Posting {
  readonly secrets: readonly string[]
  readonly clock?: Clock
}

/** One attempt to deliver an event, as a subscription with these secrets makes it. Resolves to the answer's status. */
export async function post(url: string, event: ShipbellEvent, { secrets, clock = systemClock }: Posting) {
  const context = {
    clock,
    allowNetworks: ['127.0.0.0/8'],
    version: '0',
    secrets: () => [],
    bodies: new RenderedBodies(),
  }
  const settings = postingTo(url, secrets[0] ?? '')
  await using channel = openChannel(settings.kind === 'webhook' ? { ...settings, secrets } : settings, context)
  const delivery = { id: 'dlv_1', subscription: 'erp', attempts: 0, dueAt: 0, rangAt: event.timestamp, event }
  const outcome = await channel.send([delivery], new AbortController().signal)
  return outcome.kind === 'cut' ? null : outcome.status
}

export interface Message {
  /** null: left out. */
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: Buffer
}

/** A proxy on the way to a receiver, which alters what it passes on. */
export async function alteringProxy(target: string, alter: (message: Message) => Message) {
  return await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    purpose: 'The proxy',
    remedy: '',
    fetch: async (incoming) => {
      const headers = Object.fromEntries([...incoming.headers].filter(([name]) => name.startsWith('webhook-')))
      const altered = alter({ headers, body: Buffer.from(await incoming.arrayBuffer()) })
      const sent = Object.entries(altered.headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
      const answer = await request(target, {
        method: 'POST',
        headers: Object.fromEntries(sent),
        body: altered.body,
      })
      await answer.body.dump()
      return new Response(null, { status: answer.statusCode })
    },
  })
}
