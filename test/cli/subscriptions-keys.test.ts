import { describe, expect, it } from 'vitest'
import { schemeOf, verifySignature } from '../../src/cli/verify-signature.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { createSigner } from '../../src/deliver/channels/webhook/signing.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { runCommand } from './run-command.ts'

const PAIR = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
const PUBLIC_KEY = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='

interface Request {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly now: number
}

function isVerified(key: string, { body, headers, now }: Request): boolean {
  const scheme = schemeOf(key)
  if (scheme === null) throw new Error(`${key} is no key`)
  const header = (name: string) => headers[name]
  return verifySignature(scheme, { header, body: Buffer.from(body), now }).kind === 'verified'
}

async function keys(secret: string, ...args: readonly string[]) {
  const yaml = `accounts: {}
subscriptions:
  erp: { url: "https://erp.example/", secret: ${secret}, events: ["*"] }
  tms: { url: "https://tms.example/", secret: ${SECRET}, events: ["*"] }
`
  return await runCommand(subscriptionsCommand, ['keys', ...args], { cwd: scratchFolder({ 'shipbell.yaml': yaml }) })
}

describe('shipbell subscriptions keys', () => {
  it('lists the public key of every key pair, and no secret', async () => {
    const { stdout, exitCode } = await keys(`[${SECRET}, ${PAIR}]`)
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`SUBSCRIPTION  PUBLIC KEY\nerp           ${PUBLIC_KEY}\n`)
    expect(JSON.parse((await keys(PAIR, '--json')).stdout)).toEqual([{ subscription: 'erp', public_key: PUBLIC_KEY }])
  })

  it('says where there is none', async () => {
    expect((await keys(SECRET)).stdout).toMatch(/^No subscription signs with a whsk_ key/)
    expect((await keys(SECRET, '--json')).stdout).toBe('[]\n')
  })

  it('makes a pair whose signatures the public key verifies, without a configuration, never the same', async () => {
    const made = await Promise.all(
      [1, 2].map(async () => await runCommand(subscriptionsCommand, ['keys', '--new', '--json'], { cwd: '/nowhere' })),
    )
    const pairs = made.map(({ stdout }): { secret: string; public_key: string } => JSON.parse(stdout))
    expect(new Set(pairs.map(({ secret }) => secret)).size).toBe(2)
    for (const { secret, public_key } of pairs) {
      const signature = createSigner([secret])({ id: 'evt_1', timestamp: 1_000, body: Buffer.from('{}') })
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1000', 'webhook-signature': signature }
      expect(isVerified(public_key, { body: '{}', headers, now: 1_000_000 })).toBe(true)
    }
    const { stdout } = await runCommand(subscriptionsCommand, ['keys', '--new'], { cwd: '/nowhere' })
    expect(stdout).toMatch(/^secret {6}whsk_[\w+/]{86}==\npublic key {2}whpk_[\w+/]{43}=\n$/)
  })
})

describe('a verifier of v1a', () => {
  const signature = createSigner([SECRET, PAIR])({ id: 'evt_1', timestamp: 1_000, body: Buffer.from('{}') })
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1000', 'webhook-signature': signature }
  it.each<[string, boolean, object]>([
    ['takes a good one', true, {}],
    ['takes one of 5 minutes ago', true, { now: 1_300_000 }],
    ['refuses an older one', false, { now: 1_301_000 }],
    ['refuses one of the future', false, { now: 699_000 }],
    ['refuses other bytes', false, { body: '{ }' }],
    ['refuses another id', false, { 'webhook-id': 'evt_2' }],
    ['refuses another time', false, { 'webhook-timestamp': '1001' }],
    ['refuses a time that is none', false, { 'webhook-timestamp': 'soon' }],
    ['refuses a v1 in its place', false, { 'webhook-signature': signature.split(' ')[0] }],
    [
      'refuses a v1 that calls itself v1a',
      false,
      { 'webhook-signature': signature.split(' ')[0]?.replace('v1', 'v1a') },
    ],
    ['refuses garbage', false, { 'webhook-signature': 'v1a, v1a,%% v1a' }],
    ['refuses what has no signature', false, { 'webhook-signature': '' }],
  ])('%s', (_, verdict, about) => {
    const { now = 1_000_000, body = '{}', ...others }: { now?: number; body?: string } = about
    expect(isVerified(PUBLIC_KEY, { body, headers: { ...headers, ...others }, now })).toBe(verdict)
  })
})
