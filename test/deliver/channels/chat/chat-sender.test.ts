import { PEOPLES_CHANNEL } from '../peoples-channel.ts'
import { describe, expect, it } from 'vitest'
import { postingSecrets } from '../../../../src/config/channel-secrets.ts'
import { openChannel, outlineOf } from '../../../../src/deliver/channels/channel-kinds.ts'
import type { Channel, SendOutcome } from '../../../../src/deliver/channels/channel.ts'
import { RenderedBodies } from '../../../../src/deliver/rendered-bodies.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { ofTest } from '../../../support/of-test.ts'
import { sampleBatch, sampleEvent } from '../../sample-event.ts'
import { ScriptedReceiver, status } from '../../scripted-receiver.ts'

const NEVER = new AbortController().signal
const KINDS = ['teams', 'google_chat', 'mattermost', 'rocketchat'] as const
type Kind = (typeof KINDS)[number]

const WEBHOOK = '/v1/spaces/AAAA/messages?key=AIzaSyKeyOfThis&token=t0ken-of-the-space'

function settings(kind: Kind, url: string) {
  return {
    kind,
    url,
    hidden: postingSecrets(url),
    ...PEOPLES_CHANNEL,
    timeoutMs: 15_000,
    concurrency: 1,
  } as const
}

async function chat(kind: Kind, answer = status(200), path = WEBHOOK) {
  const receiver = ofTest(await ScriptedReceiver.start(answer))
  const channel: Channel = ofTest(
    openChannel(settings(kind, `${receiver.url}${path}`), {
      clock: new FakeClock(),
      version: '9.9.9',
      allowNetworks: ['127.0.0.0/8'],
      secrets: () => [],
      bodies: new RenderedBodies(),
    }),
  )
  return {
    receiver,
    send: async (event = sampleEvent()): Promise<SendOutcome> => await channel.send(sampleBatch({ event }), NEVER),
  }
}

describe.each(KINDS)('a chat of kind %s', (kind) => {
  it.each([
    [200, 'ok'],
    [202, ''],
    [200, '{"success":true}'],
    [204, ''],
    [200, '1'],
  ])('has the message once it answers %i %j', async (code, body) => {
    const { receiver, send } = await chat(kind, status(code, {}, body))
    expect(await send()).toEqual({ kind: 'delivered', status: code, answer: body === '' ? null : body })
    const [request] = receiver.requests
    expect(request?.method).toBe('POST')
    expect(request?.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(request?.headers['user-agent']).toBe('shipbell/9.9.9')
  })

  it('is left alone as long as its 429 asks, by all that post there', async () => {
    const { send } = await chat(kind, status(429, { 'retry-after': '7' }, 'slow down'))
    expect(await send()).toMatchObject({
      kind: 'failed',
      status: 429,
      retryAfterMs: 7_000,
      cooldownOf: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('is asked no more after a 410, and has failed with anything else', async () => {
    expect(await (await chat(kind, status(410))).send()).toMatchObject({ kind: 'gone' })
    for (const code of [302, 400, 401, 404, 500]) {
      expect(await (await chat(kind, status(code))).send()).toMatchObject({ kind: 'failed', status: code })
    }
  })

  it('shows neither path nor query of its webhook', async () => {
    const { receiver, send } = await chat(kind, status(400, {}, `no webhook at ${WEBHOOK}, token t0ken-of-the-space`))
    const outcome = await send()
    expect(JSON.stringify(outcome)).not.toMatch(/spaces|AIzaSy|t0ken/)
    expect(outlineOf(settings(kind, `${receiver.url}${WEBHOOK}`))).toEqual([
      { name: 'Channel', value: kind },
      { name: 'Posts to', value: receiver.url },
    ])
  })
})

/** Where they were posted in Google Chat, and in which thread. */
async function posted(path: string, events = [sampleEvent()]) {
  const { receiver, send } = await chat('google_chat', status(200), path)
  for (const event of events) await send(event)
  return receiver.requests.map(({ path: target, body }) => ({ target, thread: JSON.parse(body).thread }))
}

describe('threads of Google Chat', () => {
  it('hold what is about one shipment, whatever the record', async () => {
    const document = sampleEvent({
      type: 'document.added',
      subject: { resource: 'document', id: '7', version: 1, previousEventId: null },
    })
    const invoice = { ...document, type: 'invoice.due', shipment: null } as const
    const other = sampleEvent({ account: 'globex' })
    const sent = await posted(WEBHOOK, [sampleEvent(), document, invoice, other])
    const [shipment, aboutIt, alone, elsewhere] = sent.map(({ thread }) => thread.threadKey)
    expect(shipment).toMatch(/^shipbell-[0-9a-f]{64}$/)
    expect(aboutIt).toBe(shipment)
    expect(new Set([shipment, alone, elsewhere]).size).toBe(3)
    expect(sent[0]?.target).toBe(`${WEBHOOK}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`)
  })

  it.each(['messageReplyOption=REPLY_MESSAGE_OR_FAIL', 'threadKey=ops'])(
    'are the operator\u2019s where the url has %s',
    async (own) => {
      const [{ target } = { target: '' }] = await posted(`${WEBHOOK}&${own}`)
      expect(target).toBe(`${WEBHOOK}&${own}`)
    },
  )
})
