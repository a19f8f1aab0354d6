import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDeliverer } from '../../src/deliver/deliverer.ts'
import { OwnRoom, withinRoom } from '../../src/deliver/own-room.ts'
import { Descriptors, ownLimitOf } from '../../src/http/own-limits.ts'
import { createLogger } from '../../src/log.ts'
import type { LimitTrouble } from '../../src/model/own-limit.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { ofTest } from '../support/of-test.ts'
import { StoreFile } from '../support/store-file.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { sampleEvent } from './sample-event.ts'
import { ScriptedReceiver, status } from './scripted-receiver.ts'

const SECOND = 1_000

function failure(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code })
}

/** Subscriptions with an event each, whose names resolve as `resolve` says, and a deliverer that runs as long as the test. */
async function world(names: readonly string[], descriptors: Descriptors, resolve: (host: string) => Error | null) {
  const { store } = ofTest(new StoreFile())
  const clock = new FakeClock()
  const receiver = await ScriptedReceiver.start(status(200))
  onTestFinished(async () => await receiver[Symbol.asyncDispose]())
  const { port } = new URL(receiver.url)
  const subscriptions = names.map((name) =>
    subscription(name, {
      channel: webhookChannel({
        url: `http://${name.replace(/\d+/, '')}.example:${port}/${name}`,
        timeoutMs: 3_600 * SECOND,
      }),
    }),
  )
  await store.syncSubscriptions(subscriptions, clock.now())
  const event = sampleEvent({ timestamp: clock.now() })
  const deliveries = names.map((name) => ({ eventId: event.id, subscription: name }))
  await store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [event], deliveries })
  const lines: string[] = []
  const limits: (LimitTrouble | null)[] = []
  const deliverer = createDeliverer({
    store,
    clock,
    log: createLogger({
      level: 'info',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: (line) => void lines.push(line),
    }),
    random: () => 0,
    owner: () => 'test',
    subscriptions: () => subscriptions,
    settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: [60 * SECOND] }),
    version: '9.9.9',
    descriptors,
    onLimit: (limit) => limits.push(limit),
    resolve: async (host) => {
      const error = resolve(host)
      if (error !== null) throw error
      return host.startsWith('hangs') ? await new Promise(() => undefined) : [{ address: '127.0.0.1', family: 4 }]
    },
  })
  const stop = new AbortController()
  const running = deliverer.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
    await deliverer[Symbol.asyncDispose]()
  })
  const row = async (name: string) =>
    (await deliveriesOf(store, { limit: 100 })).find((each) => each.subscription === name)
  const paused = () => lines.filter((line) => line.includes('sending.paused'))
  return { clock, limits, paused, receiver, row, store }
}

/** The names of each part that is picked in a round, where nothing is under way and each name has as many places. */
function roundsOf(room: OwnRoom, names: readonly string[], places: number): () => string[][] {
  const runtime = { inFlight: 0, server: 'one.example', trust: 'doubtful' } as const
  const runtimes = { get: () => runtime, inFlight: () => 0 }
  const available = new Map(names.map((name) => [name, { places, forward: 0 }]))
  return () =>
    [...withinRoom({ now: 0, leaseMs: 1, available }, { room, runtimes }, () => 0)].map((part) => [
      ...part.available.keys(),
    ])
}

describe('endpoints that share the room of a process', () => {
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

  test.each([2, 3, 4])('of %i on one server another one comes first each time', (count) => {
    const names = Array.from({ length: count }, (_, n) => `s${n}`)
    const room = new OwnRoom({ clock: new FakeClock(), log, descriptors: new Descriptors(64) })
    const round = roundsOf(room, names, 1_000)
    const firsts = names.map(() => round()[0]?.[0])
    expect(new Set(firsts)).toEqual(new Set(names))
  })

  test('thousands are picked in parts, and another part comes first each time', () => {
    const names = Array.from({ length: 1_500 }, (_, n) => `s${n}`)
    const room = new OwnRoom({ clock: new FakeClock(), log, descriptors: new Descriptors(Infinity) })
    const round = roundsOf(room, names, 1)
    const rounds = [round(), round(), round()]
    expect(rounds.map((parts) => parts.map(({ length }) => length))).toEqual([
      [500, 500, 500],
      [500, 500, 500],
      [500, 500, 500],
    ])
    expect(new Set(rounds.map((parts) => parts[0]?.[0]))).toEqual(new Set(['s0', 's500', 's1000']))
    for (const parts of rounds) expect(new Set(parts.flat())).toEqual(new Set(names))
  })
})

describe('what is ours and lacks is charged to no endpoint', () => {
  test.each([
    ['EMFILE', 'descriptors'],
    ['ENFILE', 'descriptors'],
    ['ENOBUFS', 'memory'],
    ['ENOMEM', 'memory'],
    ['EADDRNOTAVAIL', 'ports'],
  ])('%s is no attempt, one line and the limit name it, and it goes on by itself', async (code, limit) => {
    let lacks = 3
    const at = await world(['erp'], new Descriptors(1_024), () => ((lacks -= 1) >= 0 ? failure(code) : null))
    await vi.waitFor(() => expect(at.paused()).toHaveLength(1))
    expect(await at.row('erp')).toMatchObject({ state: 'pending', attempts: 0, lastError: null })
    await vi.waitFor(async () => {
      await at.clock.advance(SECOND)
      expect(await at.row('erp')).toMatchObject({ state: 'delivered', attempts: 1, lastError: null })
    })
    expect(at.paused()).toEqual([expect.stringContaining(`"limit":"${limit}"`)])
    expect((await at.store.endpoints())[0]).toMatchObject({ failuresInARow: 0, lastError: null })
    await vi.waitFor(async () => {
      await at.clock.advance(60 * SECOND)
      expect(at.limits.at(-1)).toBeNull()
    })
    expect(at.limits).toMatchObject([{ limit }, null])
  })

  test('where all cannot be tried at once, many that hang on one server keep no other server waiting', async () => {
    const names = [...Array.from({ length: 60 }, (_, n) => `hangs${n}`), 'erp']
    const at = await world(names, new Descriptors(64), () => null)
    await vi.waitFor(async () => {
      await at.clock.advance(SECOND)
      expect(await at.row('erp')).toMatchObject({ state: 'delivered', attempts: 1 })
    })
  })
})

test('of several addresses one without a port of ours says nothing, as long as another was tried', () => {
  const refused = failure('ECONNREFUSED')
  const lacks = failure('EADDRNOTAVAIL')
  expect(ownLimitOf(new AggregateError([lacks, refused]))).toBeNull()
  expect(ownLimitOf(new AggregateError([lacks, lacks]))).toBe('ports')
  expect(ownLimitOf(new AggregateError([failure('EMFILE'), refused]))).toBe('descriptors')
  expect(ownLimitOf(new Error('of a proxy', { cause: failure('ENFILE') }))).toBe('descriptors')
})
