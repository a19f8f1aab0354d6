import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src/clock.ts'
import { loadConfig } from '../../../../src/config/load-config.ts'
import type { Channel, ChannelContext, SendOutcome } from '../../../../src/deliver/channels/channel.ts'
import { openChannel, outlineOf } from '../../../../src/deliver/channels/channel-kinds.ts'
import { RenderedBodies } from '../../../../src/deliver/rendered-bodies.ts'
import type { ChannelSettings } from '../../../../src/model/subscription.ts'
import { Dials } from '../../../support/dials.ts'
import { scratchFolder } from '../../../config/scratch.ts'
import { readPages } from '../../../docs/pages.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { LoopbackProxy } from '../../../support/loopback-proxy.ts'
import { sampleEvent, sampleBatch } from '../../sample-event.ts'
import type { ChannelCase, FarSide, Manner } from './channel-case.ts'
import { CHANNEL_CASES, SMTP } from './channel-cases.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const NEVER = new AbortController().signal

const built = Object.entries(CHANNEL_CASES).flatMap(([kind, each]) => (each === null ? [] : [{ kind, ...each }]))

function open(settings: ChannelSettings, context: Partial<ChannelContext> = {}): Channel {
  const channel = openChannel(settings, {
    clock: systemClock,
    version: '9.9.9',
    allowNetworks: ['127.0.0.0/8'],
    secrets: () => [],
    bodies: new RenderedBodies(),
    ...context,
  })
  onTestFinished(async () => await channel[Symbol.asyncDispose]())
  return channel
}

async function farSide({ start }: ChannelCase, manner: Manner): Promise<FarSide> {
  const side = await start(manner)
  onTestFinished(async () => await side[Symbol.asyncDispose]())
  return side
}

/** Folders are in kebab-case, keys in snake_case. */
function folderOf(kind: string): string {
  return kind.replaceAll('_', '-')
}

async function isUnderWay(attempt: Promise<SendOutcome>): Promise<boolean> {
  return (await Promise.race([attempt, nextTurn('under way')])) === 'under way'
}

const SENDS_NOTHING = 'pull'

describe('the kinds of channels', () => {
  it('have a folder each once they are built, and a case here', () => {
    const kinds = Object.keys(CHANNEL_CASES).filter((kind) => kind !== SENDS_NOTHING)
    const folders = kinds.filter((kind) => existsSync(`${ROOT}src/deliver/channels/${folderOf(kind)}`))
    expect(folders).toEqual(built.map(({ kind }) => kind))
  })
})

describe.each(built)('a channel of kind $kind', (kind) => {
  it('is documented for the operator: on a page with its YAML and among all keys', () => {
    const blocks = readPages().flatMap((page) => page.blocks.filter(({ language }) => language === 'yaml'))
    const named = new RegExp(`^    ${kind.key}:`, 'm')
    expect(blocks.filter(({ text }) => named.test(text))).not.toEqual([])
    expect(readFileSync(`${ROOT}config/every-key.yaml`, 'utf8')).toMatch(named)
  })

  it('is what its keys choose, and keeps its secrets to itself', () => {
    const yaml = `accounts: { acme: { base_url: "https://p.example", api_key: key } }
subscriptions: { hub: { ${kind.configured}, events: ["*"] } }
smtp: ${SMTP}
`
    const { config } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': yaml }) })
    const channel = config?.subscriptions[0]?.channel
    expect(channel?.kind).toBe(kind.kind)
    expect(channel?.hidden).toContain(kind.secret)
  })

  it('takes one waiting delivery at least', async () => {
    const { batchPolicy } = open((await farSide(kind, 'accepts')).settings)
    const [delivery] = sampleBatch()
    expect(batchPolicy.most).toBeGreaterThan(0)
    expect(batchPolicy.form([delivery], { now: 0, forced: true }).batches).toEqual([[delivery]])
  })

  it('delivers what the far side accepts, and a repeat of it, and leaves no timer behind', async () => {
    const clock = new FakeClock()
    const channel = open((await farSide(kind, 'accepts')).settings, { clock })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    }
    expect(clock.nextWakeAt).toBeNull()
  })

  it('bears an account and a subscription whose names are as long as they may be', async () => {
    const account = `a${'_-'.repeat(31)}9`
    const yaml = `accounts: { ${account}: { base_url: "https://p.example", api_key: key } }
subscriptions: { ${account}: { ${kind.configured}, events: ["*"] } }
smtp: ${SMTP}
`
    const { problems } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': yaml }) })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    const channel = open((await farSide(kind, 'accepts')).settings)
    const event = { ...sampleEvent(), account }
    expect(await channel.send(sampleBatch({ event, subscription: account }), NEVER)).toMatchObject({
      kind: 'delivered',
    })
  })

  it('fails where the far side refuses, says so in one line, and shows no secret', async () => {
    const channel = open((await farSide(kind, 'refuses')).settings)
    const outcome = await channel.send(sampleBatch(), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(/^[^\r\n]{10,500}$/) })
    expect(JSON.stringify(outcome)).toContain('[redacted]')
    expect(JSON.stringify(outcome)).not.toContain(kind.secret)
  })

  it('shows no other configured secret either', async () => {
    const channel = open((await farSide(kind, 'refuses')).settings, { secrets: () => ['You sent'] })
    expect(JSON.stringify(await channel.send(sampleBatch(), NEVER))).not.toContain('You sent')
  })

  it('fails at its deadline', async () => {
    const clock = new FakeClock()
    const side = await farSide(kind, 'hangs')
    const outcome = open(side.settings, { clock }).send(sampleBatch(), NEVER)
    await side.arrived()
    await clock.advance(side.settings.timeoutMs - 1)
    expect(await isUnderWay(outcome)).toBe(true)
    await clock.advance(1)
    const error = expect.stringContaining('did not answer within 15s')
    expect(await outcome).toMatchObject({ kind: 'failed', status: null, error })
  })

  it('is cut by a shutdown without having failed', async () => {
    const side = await farSide(kind, 'hangs')
    const shutdown = new AbortController()
    const outcome = open(side.settings).send(sampleBatch(), shutdown.signal)
    await side.arrived()
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
  })

  it('sends nothing once a shutdown has begun', async () => {
    const side = await farSide(kind, 'accepts')
    expect(await open(side.settings).send(sampleBatch(), AbortSignal.abort())).toEqual({ kind: 'cut' })
    // What the channel had sent would have arrived before another one has delivered.
    const other = await farSide(kind, 'accepts')
    await open(other.settings).send(sampleBatch(), NEVER)
    expect(side.arrivals).toBe(0)
  })

  it('fails where nobody listens', async () => {
    const side = await kind.start('accepts')
    await side[Symbol.asyncDispose]()
    const outcome = await open(side.settings).send(sampleBatch(), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: null, error: expect.stringContaining('ECONNREFUSED') })
  })

  it.runIf(kind.guarded)('dials nothing that the guard refuses', async () => {
    const side = await farSide(kind, 'accepts')
    using dials = new Dials()
    const outcome = await open(side.settings, { allowNetworks: [] }).send(sampleBatch(), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringContaining('is a loopback address') })
    expect({ dialled: dials.addresses, arrivals: side.arrivals }).toEqual({ dialled: [], arrivals: 0 })
  })

  it.runIf(kind.guarded)('goes through its proxy, whose password is hidden', async () => {
    const side = await farSide(kind, 'accepts')
    const proxy = await LoopbackProxy.start()
    proxy.login = 'bell:pa55-w0rd'
    const yaml = `accounts: { acme: { base_url: "https://p.example", api_key: key } }
subscriptions: { hub: { ${kind.configured}, events: ["*"], proxy: "${proxy.address(proxy.login)}" } }
`
    const { config } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': yaml }) })
    const configured = config?.subscriptions[0]?.channel
    expect(configured?.hidden).toContain('pa55-w0rd')
    const settings = { ...side.settings, proxy: configured?.proxy ?? null }
    expect(outlineOf(settings)).toContainEqual({ name: 'Through the proxy', value: proxy.origin })
    const channel = open(settings)
    expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(proxy.asked).toHaveLength(side.arrivals)
    expect(side.arrivals).toBeGreaterThan(0)
  })

  it('may be closed while an attempt is under way, and twice', async () => {
    const side = await farSide(kind, 'hangs')
    const channel = open(side.settings)
    const outcome = channel.send(sampleBatch(), NEVER)
    await side.arrived()
    await channel[Symbol.asyncDispose]()
    await channel[Symbol.asyncDispose]()
    expect(['cut', 'failed']).toContain((await outcome).kind)
  })
})
