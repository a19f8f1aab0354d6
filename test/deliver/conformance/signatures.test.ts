import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../../src/deliver/channels/webhook/signing.ts'
import type { PayloadShape } from '../../../src/model/payload.ts'
import { sampleBatch, sampleEvent } from '../sample-event.ts'
import type { ReceivedRequest } from '../scripted-receiver.ts'
import { headersOf, NEVER, onlyRequest, scripted, senderTo } from './sending.ts'

const symmetric = (bytes: number, fill: number): string => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`

interface Pair {
  readonly secret: string
  readonly publicKey: string
}

function keyPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [seed, half] = [
    privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  ]
  return {
    secret: `whsk_${Buffer.concat([seed, half]).toString('base64')}`,
    publicKey: `whpk_${half.toString('base64')}`,
  }
}

/** A receiver's check of `v1a` with nothing but the public key, as the Standard Webhooks specification tells it. */
function verifyAsymmetric(publicKey: string, headers: Readonly<Record<string, string>>, body: string): void {
  const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'))
  if (!signatures.some((each) => verify(null, content, key, Buffer.from(each.slice('v1a,'.length), 'base64'))))
    throw new Error('No matching signature found')
}

type Check = (request: ReceivedRequest) => void

/** Receivers that know one key each, in every way that a receiver may check. */
function receiversWith(key: string): readonly Check[] {
  if (key.startsWith('whpk_')) return [(request) => verifyAsymmetric(key, headersOf(request), request.body)]
  return [StandardWebhook, SvixWebhook].map((Library) => (request: ReceivedRequest) => {
    new Library(key).verify(request.body, headersOf(request))
  })
}

async function sentWith(secrets: readonly string[], shape: Partial<PayloadShape> = {}): Promise<ReceivedRequest> {
  const receiver = await scripted()
  await senderTo(receiver.url, { secrets, ...shape }).send(sampleBatch(), NEVER)
  return onlyRequest(receiver)
}

const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: Buffer.from('{"test": 2432232314}'),
}

describe('the published vectors of Standard Webhooks', () => {
  it.each([
    ['v1', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    [
      'v1a',
      'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
      'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    ],
  ])('%s', (_, secret, signature) => {
    expect(createSigner([secret])(MESSAGE)).toBe(signature)
  })

  it('of a secret of 24 to 64 bytes is what the library signs', () => {
    for (const secret of [symmetric(24, 1), symmetric(32, 2), symmetric(64, 255)]) {
      const expected = new StandardWebhook(secret).sign(
        MESSAGE.id,
        new Date(MESSAGE.timestamp * 1_000),
        String(MESSAGE.body),
      )
      expect(createSigner([secret])(MESSAGE)).toBe(expected)
    }
  })
})

describe('a rotation', () => {
  const [oldSecret, newSecret] = [symmetric(32, 1), symmetric(24, 2)]
  const [oldPair, newPair] = [keyPair(), keyPair()]
  const outsider = keyPair()

  interface Phase {
    readonly configured: readonly string[]
    readonly accepts: readonly string[]
    readonly refuses: readonly string[]
  }
  it.each<[string, Phase]>([
    ['before: the old secret', { configured: [oldSecret], accepts: [oldSecret], refuses: [newSecret] }],
    [
      'both secrets',
      { configured: [newSecret, oldSecret], accepts: [oldSecret, newSecret], refuses: [symmetric(32, 3)] },
    ],
    ['after: the new secret', { configured: [newSecret], accepts: [newSecret], refuses: [oldSecret] }],
    ['one key pair', { configured: [oldPair.secret], accepts: [oldPair.publicKey], refuses: [newPair.publicKey] }],
    [
      'both key pairs',
      {
        configured: [oldPair.secret, newPair.secret],
        accepts: [oldPair.publicKey, newPair.publicKey],
        refuses: [outsider.publicKey],
      },
    ],
    [
      'from a secret to a key pair',
      {
        configured: [oldSecret, newPair.secret],
        accepts: [oldSecret, newPair.publicKey],
        refuses: [newSecret, outsider.publicKey],
      },
    ],
  ])('%s', async (_, { configured, accepts, refuses }) => {
    const request = await sentWith(configured)
    for (const check of accepts.flatMap(receiversWith)) expect(() => check(request)).not.toThrow()
    for (const check of refuses.flatMap(receiversWith)) expect(() => check(request)).toThrow(/No matching signature/)
    expect(headersOf(request)['webhook-signature']?.split(' ')).toHaveLength(configured.length)
  })

  it('of any length fails nobody: 0 failures among receivers with the old key and with the new one', async () => {
    const phases = [[oldSecret], [oldSecret, newPair.secret], [newPair.secret, oldSecret], [newPair.secret]]
    const failures: string[] = []
    for (const [phase, configured] of phases.entries()) {
      const request = await sentWith(configured)
      const known = phase === 0 ? [oldSecret] : phase === 3 ? [newPair.publicKey] : [oldSecret, newPair.publicKey]
      for (const check of known.flatMap(receiversWith)) {
        try {
          check(request)
        } catch (error) {
          failures.push(`${phase}: ${String(error)}`)
        }
      }
    }
    expect(failures).toEqual([])
  })
})

describe('the bytes sent are the bytes signed', () => {
  const pair = keyPair()
  const secret = symmetric(32, 9)
  it.each<PayloadShape>([
    { payload: 'full', format: 'standard' },
    { payload: 'thin', format: 'standard' },
    { payload: 'full', format: 'cloudevents' },
    { payload: 'thin', format: 'cloudevents' },
    { payload: 'full', format: 'cloudevents-binary' },
    { payload: 'thin', format: 'cloudevents-binary' },
  ])('as %j', async (shape) => {
    const request = await sentWith([secret, pair.secret], shape)
    const checks = [secret, pair.publicKey].flatMap(receiversWith)
    for (const check of checks) expect(() => check(request)).not.toThrow()
    for (const check of checks) expect(() => check({ ...request, body: `${request.body} ` })).toThrow()
  })

  it('also where two subscriptions share a rendering', async () => {
    const receiver = await scripted()
    const { RenderedBodies } = await import('../../../src/deliver/rendered-bodies.ts')
    const bodies = new RenderedBodies()
    const event = sampleEvent()
    const other = symmetric(24, 4)
    for (const each of [secret, other])
      await senderTo(receiver.url, { secrets: [each] }, { bodies }).send(sampleBatch({ event }), NEVER)
    const [first, second] = receiver.requests
    for (const check of receiversWith(secret)) check(first ?? onlyRequest(receiver))
    for (const check of receiversWith(other)) check(second ?? onlyRequest(receiver))
    expect(second?.body).toBe(first?.body)
  })
})
