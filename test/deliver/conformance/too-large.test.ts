import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { sampleBatch, sampleEvent } from '../sample-event.ts'
import type { ReceivedRequest } from '../scripted-receiver.ts'
import { headersOf, NEVER, scripted, SECRET, senderTo } from './sending.ts'

const LARGE: ShipbellEvent = sampleEvent({ object: { pad: 'x'.repeat(20_000) } })
const SMALL: ShipbellEvent = sampleEvent({ id: 'evt_small' })

/** Answers 413 to what is larger. */
async function receiverOf(mostBytes: number, otherwise = 200) {
  return await scripted(({ body, response }) => {
    response.statusCode = Buffer.byteLength(body) > mostBytes ? 413 : otherwise
    response.end('answer')
  })
}

const bodyOf = ({ body }: ReceivedRequest): Record<string, unknown> => JSON.parse(body)

describe('payload: auto', () => {
  it('sends at once thin, under its id and signed anew, what is too large; what comes later is full', async () => {
    const receiver = await receiverOf(5_000)
    const sender = senderTo(receiver.url, { payload: 'auto' })
    expect(await sender.send(sampleBatch({ event: LARGE }), NEVER)).toMatchObject({ kind: 'delivered', status: 200 })
    expect(await sender.send(sampleBatch({ event: SMALL }), NEVER)).toMatchObject({ kind: 'delivered' })
    const [first, second, third] = receiver.requests.map(bodyOf)
    expect(first).toMatchObject({ id: LARGE.id, data: { object: LARGE.object } })
    expect(first).not.toHaveProperty('truncated')
    expect(second).toMatchObject({ id: LARGE.id, truncated: true })
    expect(second?.['data']).not.toHaveProperty('object')
    expect(third).toMatchObject({ id: SMALL.id, data: { object: SMALL.object } })
    for (const request of receiver.requests) {
      expect(request.headers['webhook-id']).toBe(bodyOf(request)['id'])
      new Webhook(SECRET).verify(request.body, headersOf(request))
    }
  })

  it('says so in a header where attributes travel as headers', async () => {
    const receiver = await receiverOf(5_000)
    const sender = senderTo(receiver.url, { payload: 'auto', format: 'cloudevents-binary' })
    expect(await sender.send(sampleBatch({ event: LARGE }), NEVER)).toMatchObject({ kind: 'delivered' })
    const posted = receiver.requests.filter(({ method }) => method === 'POST')
    expect(posted.map(({ headers }) => headers['ce-truncated'])).toEqual([undefined, 'true'])
  })

  it.each([
    ['the thin one is too large as well', 10, 200, 413],
    ['the thin one fails for another reason', 5_000, 503, 503],
  ])(
    'fails by the last answer where %s, in one attempt of two requests',
    async (...[, mostBytes, otherwise, status]) => {
      const receiver = await receiverOf(mostBytes, otherwise)
      const outcome = await senderTo(receiver.url, { payload: 'auto' }).send(sampleBatch({ event: LARGE }), NEVER)
      expect(outcome).toMatchObject({ kind: 'failed', status })
      expect(receiver.requests).toHaveLength(2)
    },
  )

  it('repeats nothing that would be no smaller', async () => {
    const receiver = await receiverOf(0)
    const sender = senderTo(receiver.url, { payload: 'auto', limitBytes: 1_000 })
    const outcome = await sender.send(sampleBatch({ event: LARGE }), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: 413 })
    expect(receiver.requests.map(bodyOf)).toMatchObject([{ truncated: true }])
  })

  it.each(['full', 'thin'] as const)('is what it takes: `%s` fails with the 413', async (payload) => {
    const receiver = await receiverOf(0)
    const outcome = await senderTo(receiver.url, { payload }).send(sampleBatch({ event: LARGE }), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: 413 })
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('payload_limit', () => {
  it.each(['standard', 'cloudevents'] as const)(
    'sends thin from the start what would be larger (%s)',
    async (format) => {
      const receiver = await receiverOf(1_000_000)
      const sender = senderTo(receiver.url, { limitBytes: 5_000, format })
      for (const event of [LARGE, SMALL])
        expect(await sender.send(sampleBatch({ event }), NEVER)).toMatchObject({ kind: 'delivered' })
      const posted = receiver.requests.filter(({ method }) => method === 'POST')
      expect(posted.map((request) => bodyOf(request)['truncated'])).toEqual([true, undefined])
    },
  )
})
