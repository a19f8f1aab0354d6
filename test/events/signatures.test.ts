import { execFileSync, spawnSync } from 'node:child_process'
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sign, SignatureError, verify, type Body } from '@shipbell/events'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../src/deliver/channels/webhook/signing.ts'
import { scratchFolder } from '../config/scratch.ts'
import { SECRET } from '../support/loopback-receiver.ts'

const BODY = JSON.stringify({ id: 'evt_1', type: 'shipment.eta_changed', data: { name: 'Zürich → Łódź 🚢' } })
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const now = (): number => Math.floor(Date.now() / 1_000)

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const SEED = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
const HALF = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const WHSK = `whsk_${Buffer.concat([SEED, HALF]).toString('base64')}`
const WHPK = `whpk_${HALF.toString('base64')}`

interface Message {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const contentOf = ({ id, timestamp, body }: Message): Buffer => Buffer.from(`${id}.${timestamp}.${body}`)
const message = (): Message => ({ id: 'evt_1', timestamp: now(), body: BODY })

function headers({ id, timestamp }: Message, signature: string): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

async function reasonOf(verifying: Promise<unknown>): Promise<unknown> {
  const error: unknown = await verifying.catch((caught: unknown) => caught)
  return error instanceof SignatureError ? error.reason : error
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** By programs that are not ours. */
const SIGNERS: Readonly<Record<string, (message: Message) => string>> = {
  standardwebhooks: (each) => new StandardWebhook(SECRET).sign(each.id, new Date(each.timestamp * 1_000), each.body),
  svix: (each) => new SvixWebhook(SECRET).sign(each.id, new Date(each.timestamp * 1_000), each.body),
  'node:crypto, v1': (each) =>
    `v1,${createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(contentOf(each))
      .digest('base64')}`,
  'node:crypto, v1a': (each) => `v1a,${nodeSign(null, contentOf(each), privateKey).toString('base64')}`,
  ...(hasOpenssl && {
    'openssl, v1a': (each: Message) => {
      const folder = opensslFolder(each)
      openssl(folder, 'pkeyutl -sign -rawin -inkey key.pem -in content -out signature')
      return `v1a,${readFileSync(path.join(folder, 'signature')).toString('base64')}`
    },
  }),
  'the daemon, both': (each) => createSigner([SECRET, WHSK])({ ...each, body: Buffer.from(each.body) }),
}

function opensslFolder(each: Message): string {
  return scratchFolder({
    'key.pem': privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    'public.pem': publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    content: contentOf(each).toString(),
  })
}

function openssl(cwd: string, command: string): string {
  return execFileSync('openssl', command.split(' '), { cwd, encoding: 'utf8', stdio: 'pipe' })
}

describe('verify', () => {
  it.each(Object.entries(SIGNERS))(
    'takes what %s signed, as text and as bytes, and nothing altered',
    async (_, signed) => {
      const each = message()
      const own = headers(each, signed(each))
      const keys = [OTHER, SECRET, WHPK]
      const bytes = Buffer.from(BODY)
      const buffer = Uint8Array.from(bytes).buffer
      for (const body of [BODY, bytes, buffer] satisfies Body[])
        expect(await verify(own, body, keys)).toEqual(JSON.parse(BODY))
      expect(await verify(new Headers(own), BODY, keys)).toEqual(JSON.parse(BODY))
      expect(await reasonOf(verify(own, `${BODY} `, keys))).toBe('no_match')
      expect(await reasonOf(verify({ ...own, 'webhook-id': 'evt_2' }, BODY, keys))).toBe('no_match')
      expect(await reasonOf(verify({ ...own, 'webhook-timestamp': String(each.timestamp + 1) }, BODY, keys))).toBe(
        'no_match',
      )
      expect(await reasonOf(verify(own, BODY, OTHER))).toBe('no_match')
    },
  )

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('needs %s', async (name) => {
    const { [name]: _, ...others } = await sign(SECRET, message()).then((all): Record<string, string> => all)
    for (const given of [others, { ...others, [name]: '' }, { ...others, [name]: undefined }, new Headers(others)])
      expect(await reasonOf(verify(given, BODY, SECRET))).toBe('missing_header')
  })

  it('says what is malformed', async () => {
    const own = await sign(SECRET, message())
    for (const timestamp of ['soon', '1e9', '-1', '1.5', ' 1', '9'.repeat(400)])
      expect(await reasonOf(verify({ ...own, 'webhook-timestamp': timestamp }, BODY, SECRET))).toBe('malformed')
    expect(await reasonOf(verify({ ...own, 'webhook-signature': 'nonsense' }, BODY, SECRET))).toBe('malformed')
    expect(await reasonOf(verify({ ...own, 'webhook-signature': ['v1,a', 'v1,b'] }, BODY, SECRET))).toBe('malformed')
    for (const body of ['', 'no JSON', '[]', 'null', '{"type":1}']) {
      const signed = await sign(SECRET, { ...message(), body })
      expect([body, await reasonOf(verify(signed, body, SECRET))]).toEqual([body, 'malformed'])
    }
    const invalid = new Uint8Array([0x22, 0xff, 0x22])
    const signed = await sign(SECRET, { ...message(), body: invalid })
    expect(await reasonOf(verify(signed, invalid, SECRET))).toBe('malformed')
  })

  it.each(['v1,', 'v1,AAAA', 'v1, AAAA', 'v1,%%%', 'v2,AAAA', ',', 'v1a,AAAA v1a', `v1,${'A'.repeat(20_000)}`])(
    'takes no signature like %.12s',
    async (signature) => {
      const own = await sign(SECRET, message())
      expect(await reasonOf(verify({ ...own, 'webhook-signature': signature }, BODY, [SECRET, WHPK]))).toBe('no_match')
    },
  )

  it('never takes a signature of one kind for another', async () => {
    const each = message()
    const v1 = (await sign(SECRET, each))['webhook-signature']
    const v1a = (await sign(WHSK, each))['webhook-signature']
    const swapped = [v1.replace('v1,', 'v1a,'), v1a.replace('v1a,', 'v1,')].join(' ')
    expect(await reasonOf(verify(headers(each, swapped), BODY, [SECRET, WHPK]))).toBe('no_match')
  })

  it('allows five minutes either way, or what it is told to', async () => {
    const at = async (seconds: number, toleranceSeconds?: number): Promise<unknown> => {
      const own = await sign(SECRET, { ...message(), timestamp: now() + seconds })
      return reasonOf(verify(own, BODY, SECRET, toleranceSeconds === undefined ? {} : { toleranceSeconds }))
    }
    for (const seconds of [-290, 290]) expect(await at(seconds)).toEqual(JSON.parse(BODY))
    for (const seconds of [-310, 310]) expect(await at(seconds)).toBe('expired')
    expect(await at(-3_000, 3_600)).toEqual(JSON.parse(BODY))
    expect(await at(-30, 10)).toBe('expired')
    expect(await at(0, Number.NaN)).toBe('expired')
  })

  it('keeps a type that it does not know', async () => {
    const body = '{"type":"shipment.teleported","data":{}}'
    const event = await verify(await sign(SECRET, { ...message(), body }), body, SECRET)
    expect(event.type).toBe('shipment.teleported')
  })

  it.each(['', 'whsec_', 'whsec_%%', 'whpk_AAAA', 'hush', WHSK])(
    'refuses %j as a secret, whatever came',
    async (secret) => {
      const error = await reasonOf(verify({}, BODY, [SECRET, secret]))
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain('A secret must be whsec_… or whpk_… (32 bytes).')
    },
  )

  it('refuses to verify with no secret', async () => {
    expect(await reasonOf(verify(await sign(SECRET, message()), BODY, []))).toBeInstanceOf(TypeError)
  })
})

describe('sign', () => {
  it('makes v1 that others verify', async () => {
    const own = await sign(SECRET, message())
    for (const Library of [StandardWebhook, SvixWebhook]) new Library(SECRET).verify(BODY, { ...own })
    expect(() => new StandardWebhook(OTHER).verify(BODY, { ...own })).toThrow('No matching signature')
  })

  it('makes v1a that node:crypto verifies', async () => {
    const each = message()
    const own = await sign(WHSK, each)
    const signature = Buffer.from(own['webhook-signature'].slice('v1a,'.length), 'base64')
    expect(
      nodeVerify(
        null,
        contentOf(each),
        createPublicKey(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))),
        signature,
      ),
    ).toBe(true)
  })

  it.skipIf(!hasOpenssl)('makes v1a that openssl verifies', async () => {
    const each = message()
    const own = await sign(WHSK, each)
    const signature = Buffer.from(own['webhook-signature'].slice('v1a,'.length), 'base64')
    const folder = opensslFolder(each)
    writeFileSync(path.join(folder, 'signature'), signature)
    const checked = openssl(folder, 'pkeyutl -verify -rawin -pubin -inkey public.pem -in content -sigfile signature')
    expect(checked).toContain('Signature Verified Successfully')
  })

  it('makes what the daemon makes', async () => {
    const each = message()
    const daemon = createSigner([SECRET, WHSK])({ ...each, body: Buffer.from(each.body) })
    const own = [await sign(SECRET, each), await sign(WHSK, each)].map((all) => all['webhook-signature'])
    expect(own.join(' ')).toBe(daemon)
  })

  it('refuses a public key', async () => {
    expect(await reasonOf(sign(WHPK, message()))).toBeInstanceOf(TypeError)
  })
})
