import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Writable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { ShipbellError } from '../../src/errors.ts'
import type { Delivery } from '../../src/model/delivery.ts'
import { alteredEvent } from '../../src/model/event.ts'
import type { Subscription, WebhookChannel } from '../../src/model/subscription.ts'
import type { DeliveryStore } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { StoreFile } from '../support/store-file.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { sampleEvent } from './sample-event.ts'
import { hang, ScriptedReceiver, status } from './scripted-receiver.ts'
import { subscription as sampleSubscription } from '../support/subscription.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const SECOND = 1_000

let file: StoreFile
let store: Store
let clock: FakeClock
let lines: Record<string, unknown>[]
let onLine: () => void
let subscriptions: readonly Subscription[]
let sequence: number
let resources: AsyncDisposableStack

beforeEach(async () => {
  resources = new AsyncDisposableStack()
  file = new StoreFile()
  store = file.store
  clock = new FakeClock()
  lines = []
  onLine = () => undefined
  subscriptions = []
  sequence = 0
})

afterEach(async () => {
  await resources.disposeAsync()
  await file[Symbol.asyncDispose]()
})

async function receiver(answer?: ScriptedReceiver['answer']): Promise<ScriptedReceiver> {
  return resources.use(await ScriptedReceiver.start(answer))
}

function subscription(name: string, url: string, channel: Partial<WebhookChannel> = {}): Subscription {
  const webhook = webhookChannel({ url, secrets: [SECRET], ...channel })
  return sampleSubscription(name, { channel: webhook })
}

async function subscribe(...configured: readonly Subscription[]): Promise<void> {
  subscriptions = configured
  await store.syncSubscriptions(configured, clock.now())
}

/** Events that every subscription gets; resolves to their ids. */
async function ring(
  count = 1,
  names = subscriptions.map(({ name }) => name),
  subjectId = 'SHP-1',
): Promise<readonly string[]> {
  const subject = { resource: 'shipment', id: subjectId, version: 1, previousEventId: null } as const
  const events = Array.from({ length: count }, () => {
    sequence += 1
    return sampleEvent({ id: `evt_${String(sequence).padStart(6, '0')}`, timestamp: clock.now(), subject })
  })
  const deliveries = events.flatMap(({ id }) => names.map((name) => ({ eventId: id, subscription: name })))
  await store.commit({ account: 'acme', records: [], changes: [], dates: [], events, deliveries })
  return events.map(({ id }) => id)
}

function inStore(sql: string): void {
  const db = new Sqlite(file.path)
  expect(db.prepare(sql).run().changes).toBe(1)
  db.close()
}

interface Overrides {
  readonly store?: DeliveryStore
  readonly retryMs?: readonly number[]
  readonly owner?: string
  readonly processes?: number
}

function deliverer(overrides: Overrides = {}): Deliverer {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line: Record<string, unknown> = JSON.parse(String(chunk))
      lines.push(line)
      onLine()
      done()
    },
  })
  return resources.use(
    createDeliverer({
      store: overrides.store ?? store,
      clock,
      log: pino({ base: null, timestamp: false }, sink),
      random: () => 0,
      owner: () => overrides.owner ?? 'test',
      processes: () => overrides.processes ?? 1,
      subscriptions: () => subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: overrides.retryMs ?? [5 * SECOND, 300 * SECOND] }),
      version: '9.9.9',
    }),
  )
}

async function ledger(filter: { subscription?: string } = {}): Promise<readonly Delivery[]> {
  return (await deliveriesOf(store, { ...filter, limit: 100_000 })).toReversed()
}

async function states(filter: { subscription?: string } = {}): Promise<readonly string[]> {
  return (await ledger(filter)).map(({ state }) => state)
}

/** Resolves when the log holds as many lines of this message. */
async function logged(message: string, count = 1): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  onLine = () => {
    if (lines.filter(({ msg }) => msg === message).length >= count) resolve()
  }
  onLine()
  await promise
}

interface Running {
  readonly wake: () => void
  readonly stop: () => Promise<void>
}

function running(daemon: Deliverer): Running {
  const stopping = new AbortController()
  const ended = daemon.run(stopping.signal)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await ended
  }
  resources.defer(stop)
  return { wake: () => daemon.wake(), stop }
}

const NEVER = new AbortController().signal

describe('draining', () => {
  it('delivers what is due, signed, oldest first, and marks it delivered', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url, { concurrency: 1 }))
    const ids = await ring(25)
    await deliverer().drain(NEVER)
    expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
    expect(new Set(await states())).toEqual(new Set(['delivered']))
    expect(lines).toHaveLength(25)
    expect(lines[0]).toMatchObject({
      msg: 'delivery.attempted',
      event: ids[0],
      type: 'shipment.status_changed',
      account: 'acme',
      subscription: 'erp',
      attempt: 1,
      status: 200,
      duration_ms: 0,
      next: 'delivered',
    })
  })

  it('sends bytes that verify, to several endpoints', async () => {
    const [one, two] = [await receiver(), await receiver()]
    await subscribe(subscription('one', one.url), subscription('two', two.url))
    clock.jump(systemClock.now())
    await ring(3)
    await deliverer().drain(NEVER)
    for (const { body, headers } of [...one.requests, ...two.requests]) {
      new Webhook(SECRET).verify(body, Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])))
    }
    expect([one.requests.length, two.requests.length]).toEqual([3, 3])
  })

  it('ends when only retries are left, which wait for their time', async () => {
    const endpoint = await receiver(status(500, {}, 'boom'))
    await subscribe(subscription('erp', endpoint.url))
    const [id] = await ring()
    await deliverer().drain(NEVER)
    const [row] = await ledger()
    expect(row).toMatchObject({
      eventId: id,
      state: 'pending',
      attempts: 1,
      nextAttemptAt: clock.now() + 5 * SECOND,
      lastStatus: 500,
    })
    expect(await store.attempts(row?.id ?? '')).toEqual([
      { at: clock.now(), durationMs: 0, status: 500, error: `${endpoint.url} answered 500`, answer: 'boom' },
    ])
  })

  it('ends at once where there is nothing to do or nobody to send to', async () => {
    await deliverer().drain(NEVER)
    const endpoint = await receiver()
    await subscribe({ ...subscription('erp', endpoint.url), enabled: false })
    await ring(2)
    await deliverer().drain(NEVER)
    expect(await states()).toEqual(['held', 'held'])
    expect(endpoint.requests).toHaveLength(0)
  })

  it('throws where the store fails, having settled what it had sent', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url, { concurrency: 1 }))
    await ring(2)
    let claims = 0
    const failing: DeliveryStore = {
      ...store,
      claim: async (request) => {
        claims += 1
        if (claims === 2) throw new ShipbellError('store_unusable', 'The disk is full.')
        return await store.claim(request)
      },
    }
    await expect(deliverer({ store: failing }).drain(NEVER)).rejects.toThrow('The disk is full.')
    expect(await states()).toEqual(['delivered', 'pending'])
  })
})

describe('failures', () => {
  it('are retried on the schedule under the same webhook-id until one succeeds', async () => {
    const endpoint = await receiver(status(500))
    await subscribe(subscription('erp', endpoint.url))
    const [id] = await ring()
    const { stop } = running(deliverer())
    await logged('delivery.attempted', 1)
    await clock.advance(4.9 * SECOND)
    expect(endpoint.requests).toHaveLength(1)
    await clock.advance(0.2 * SECOND)
    await logged('delivery.attempted', 2)
    endpoint.answer = status(200)
    await clock.advance(301 * SECOND)
    await logged('delivery.attempted', 3)
    await stop()
    expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id])
    expect(lines.map(({ attempt, next }) => [attempt, next])).toEqual([
      [1, 'retry'],
      [2, 'retry'],
      [3, 'delivered'],
    ])
    expect(await states()).toEqual(['delivered'])
  })

  it('wait for Retry-After where it is later than the schedule', async () => {
    const endpoint = await receiver(status(429, { 'retry-after': '3600' }))
    await subscribe(subscription('erp', endpoint.url))
    await ring()
    await deliverer().drain(NEVER)
    expect(await ledger()).toMatchObject([{ state: 'pending', nextAttemptAt: clock.now() + 3_600 * SECOND }])
    expect(lines).toMatchObject([
      { next: 'retry', next_attempt_at: new Date(clock.now() + 3_600 * SECOND).toISOString() },
    ])
  })

  it('of one attempt that cannot even be rendered end there', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    await ring(2)
    let first = true
    const odd: DeliveryStore = {
      ...store,
      claim: async (request) =>
        (await store.claim(request)).map((delivery) => {
          if (!first) return delivery
          first = false
          return { ...delivery, event: alteredEvent(delivery.event, { timestamp: Number.NaN }) }
        }),
    }
    await deliverer({ store: odd }).drain(NEVER)
    expect(await states()).toEqual(['pending', 'delivered'])
    expect((await ledger())[0]?.lastError).toMatch(/^Shipbell could not send event evt_000001: RangeError/)
  })

  it('of an event whose document is damaged in the store end there, and hold up no other', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    const damaged = sampleEvent({ id: 'evt_damaged', timestamp: clock.now(), object: { status: 'odd' }, before: null })
    const deliveries = [{ eventId: damaged.id, subscription: 'erp' }]
    await store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [damaged], deliveries })
    inStore("UPDATE bodies SET codec = 1, content = x'00'")
    await ring()
    await deliverer().drain(NEVER)
    expect(await states()).toEqual(['pending', 'delivered'])
    expect((await ledger())[0]?.lastError).toMatch(/could not send event evt_damaged: .+document \d+ damaged: restore/)
  })
})

describe('endpoints side by side', () => {
  it('a hanging one fills its own slots and holds up no other', async () => {
    const [slow, fast] = [await receiver(hang), await receiver()]
    await subscribe(subscription('slow', slow.url, { concurrency: 2 }), subscription('fast', fast.url))
    await ring(40)
    const { stop } = running(deliverer())
    await fast.received(40)
    await logged('delivery.attempted', 40)
    expect(slow.requests).toHaveLength(2)
    await clock.advance(15 * SECOND)
    await slow.received(4)
    await stop()
    expect(new Set(await states({ subscription: 'fast' }))).toEqual(new Set(['delivered']))
    expect((await ledger({ subscription: 'slow' })).filter(({ attempts }) => attempts === 1)).toHaveLength(2)
  })

  it('never get more at once than their concurrency', { tags: 'long' }, async () => {
    const open = new Set<ServerResponse>()
    let most = 0
    const answerAll = (): void => {
      for (const response of open) response.end()
      open.clear()
    }
    const endpoint = await receiver(({ response }) => {
      open.add(response)
      most = Math.max(most, open.size)
      if (open.size === 3) setImmediate(() => setImmediate(answerAll))
    })
    await subscribe(subscription('erp', endpoint.url, { concurrency: 3 }))
    await ring(60)
    await deliverer().drain(NEVER)
    expect(endpoint.requests).toHaveLength(60)
    expect(most).toBe(3)
  })
})

describe('beside other processes', () => {
  it.each([
    [1, undefined],
    [2, 4],
    [3, 3],
  ])('of %i each takes no more than its part of all places', async (processes, part) => {
    const silent = await receiver(hang)
    await subscribe(...['one', 'two'].map((name) => subscription(name, silent.url, { concurrency: 4 })))
    await ring()
    const asked: (number | undefined)[] = []
    const noted: DeliveryStore = {
      ...store,
      claim: async (request) => {
        asked.push(request.most)
        return await store.claim(request)
      },
    }
    running(deliverer({ store: noted, processes }))
    await silent.received(2)
    expect(asked[0]).toBe(part)
  })
})

describe('with a rate', () => {
  const RATE = { requests: 3, perMs: 10 * SECOND }

  it('an endpoint never gets more in any window, failures among them, and all in the end', async () => {
    const arrivals: number[] = []
    const endpoint = await receiver((request) => {
      arrivals.push(clock.now())
      status(arrivals.length === 2 ? 500 : 200)(request)
    })
    await subscribe({ ...subscription('erp', endpoint.url), rate: RATE })
    await ring(8)
    const { stop } = running(deliverer())
    for (let attempts = 3; attempts < 9; attempts += 3) {
      await logged('delivery.attempted', attempts)
      await clock.advance(9.9 * SECOND)
      expect(arrivals).toHaveLength(attempts)
      await clock.advance(0.1 * SECOND)
    }
    await logged('delivery.attempted', 9)
    await stop()
    expect(new Set(await states())).toEqual(new Set(['delivered']))
  })

  it('that an endpoint asks for in the handshake of CloudEvents, it gets no more', async () => {
    const arrivals: string[] = []
    const endpoint = await receiver((request) => {
      arrivals.push(request.method)
      status(200, { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '2' })(request)
    })
    await subscribe(subscription('erp', endpoint.url, { format: 'cloudevents', concurrency: 1 }))
    await ring(5)
    const { stop } = running(deliverer())
    await logged('delivery.attempted', 2)
    await clock.advance(59 * SECOND)
    expect(arrivals).toEqual(['OPTIONS', 'POST', 'POST'])
    await clock.advance(1 * SECOND)
    await logged('delivery.attempted', 4)
    await clock.advance(60 * SECOND)
    await logged('delivery.attempted', 5)
    await stop()
    expect(new Set(await states())).toEqual(new Set(['delivered']))
  })

  it('an attempt counts until it ended and a window more, since nobody knows when it arrived', async () => {
    const endpoint = await receiver(hang)
    await subscribe({ ...subscription('erp', endpoint.url), rate: { requests: 1, perMs: 10 * SECOND } })
    await ring(2)
    running(deliverer())
    await endpoint.received(1)
    await clock.advance(14 * SECOND)
    endpoint.requests[0]?.response.end()
    await logged('delivery.attempted', 1)
    await clock.advance(9 * SECOND)
    expect(endpoint.requests).toHaveLength(1)
    await clock.advance(1 * SECOND)
    await endpoint.received(2)
  })

  it('an endpoint holds up no other, and nobody looks more often than there is reason to', async () => {
    const [slow, fast] = [await receiver(), await receiver()]
    await subscribe({ ...subscription('slow', slow.url), rate: RATE }, subscription('fast', fast.url))
    await ring(30)
    let claims = 0
    const counted: DeliveryStore = {
      ...store,
      claim: async (request) => {
        claims += 1
        return await store.claim(request)
      },
    }
    running(deliverer({ store: counted }))
    await fast.received(30)
    await logged('delivery.attempted', 33)
    await clock.advance(0)
    claims = 0
    await clock.advance(9 * SECOND)
    expect(slow.requests).toHaveLength(3)
    expect(claims).toBeLessThanOrEqual(10)
  })

  it('draining waits for it, but not for hours', async () => {
    const [slow, slower] = [await receiver(), await receiver()]
    await subscribe(
      { ...subscription('slow', slow.url), rate: RATE },
      { ...subscription('slower', slower.url), rate: { requests: 1, perMs: 3_600 * SECOND } },
    )
    await ring(7)
    const drained = deliverer().drain(NEVER)
    for (const attempts of [4, 7]) {
      await logged('delivery.attempted', attempts)
      await clock.advance(10 * SECOND)
    }
    await drained
    expect([slow.requests.length, slower.requests.length]).toEqual([7, 1])
  })

  it('draining some deliveries waits for none of the others', async () => {
    const endpoint = await receiver()
    await subscribe({ ...subscription('erp', endpoint.url), rate: { requests: 1, perMs: 50 * SECOND } })
    await ring(3)
    const oldest = (await deliveriesOf(store, { limit: 3 })).at(-1)
    const startedAt = clock.now()
    await deliverer().drain(NEVER, [oldest?.id ?? ''])
    expect(clock.now()).toBe(startedAt)
    expect(endpoint.requests).toHaveLength(1)
  })

  it('a reload that changes it forgets nothing that was sent', async () => {
    const endpoint = await receiver()
    await subscribe({ ...subscription('erp', endpoint.url), rate: RATE })
    await ring(10)
    const { wake } = running(deliverer())
    await logged('delivery.attempted', 3)
    await subscribe({ ...subscription('erp', endpoint.url), rate: { requests: 5, perMs: 10 * SECOND } })
    wake()
    await logged('delivery.attempted', 5)
    await clock.advance(9.9 * SECOND)
    expect(endpoint.requests).toHaveLength(5)
    await subscribe(subscription('erp', endpoint.url))
    wake()
    await endpoint.received(10)
  })
})

describe('with `order: subject`', () => {
  it('sends what waits as soon as what it waits for has arrived, and other subjects meanwhile', async () => {
    const endpoint = await receiver(status(500))
    await subscribe({ ...subscription('erp', endpoint.url), order: 'subject' })
    const [first, second, third] = await ring(3)
    const [other] = await ring(1, undefined, 'SHP-2')
    const { stop } = running(deliverer())
    await logged('delivery.attempted', 2)
    expect(new Set(endpoint.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first, other]))
    endpoint.answer = status(200)
    await clock.advance(5 * SECOND)
    await logged('delivery.attempted', 6)
    await stop()
    const sent = endpoint.requests.slice(2).map(({ headers }) => headers['webhook-id'])
    expect(sent.filter((id) => id !== other)).toEqual([first, second, third])
    expect(new Set(await states())).toEqual(new Set(['delivered']))
  })

  it('drains a subject to its end', async () => {
    const endpoint = await receiver()
    await subscribe({ ...subscription('erp', endpoint.url), order: 'subject' })
    const ids = await ring(20)
    await deliverer().drain(NEVER)
    expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
  })
})

describe('running', () => {
  it('wakes at once when told, and within a second when another process wrote', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    const { wake } = running(deliverer())
    await clock.advance(0)
    await ring()
    wake()
    await endpoint.received(1)
    await logged('delivery.attempted', 1)
    await clock.advance(0)
    await ring()
    await clock.advance(SECOND)
    await endpoint.received(2)
  })

  it('takes what is due as soon as it is told, before other work has its turn', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    let taken = 0
    const watched: DeliveryStore = {
      ...store,
      claim: async (request) => {
        const claimed = await store.claim(request)
        taken += claimed.length
        return claimed
      },
    }
    const { wake } = running(deliverer({ store: watched }))
    await clock.advance(0)
    await ring()
    wake()
    await nextTurn()
    expect(taken).toBe(1)
    await endpoint.received(1)
  })

  it('cuts what is under way at shutdown, without counting it, and the next process sends it', async () => {
    const endpoint = await receiver(hang)
    await subscribe(subscription('erp', endpoint.url))
    const ids = await ring(2)
    const { stop } = running(deliverer())
    await endpoint.received(2)
    await stop()
    expect(await ledger()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ])
    expect(lines).toMatchObject([
      { next: 'released', status: null },
      { next: 'released', status: null },
    ])
    endpoint.answer = status(200)
    await deliverer({ owner: 'next' }).drain(NEVER)
    expect(endpoint.requests.slice(2).map(({ headers }) => headers['webhook-id'])).toEqual(ids)
    expect(await states()).toEqual(['delivered', 'delivered'])
  })

  it('retries when the time comes, not at the next look', async () => {
    const endpoint = await receiver(status(500))
    await subscribe(subscription('erp', endpoint.url))
    await ring()
    running(deliverer({ retryMs: [200] }))
    await logged('delivery.attempted', 1)
    await clock.advance(200)
    await endpoint.received(2)
  })

  it('keeps its claim for as long as an attempt may take', async () => {
    const endpoint = await receiver(hang)
    await subscribe(subscription('erp', endpoint.url))
    await ring()
    running(deliverer())
    await endpoint.received(1)
    await clock.advance(14.9 * SECOND)
    const slots = new Map([['erp', 1]])
    expect(await store.claim({ owner: 'other', now: clock.now(), leaseMs: 1, slots })).toEqual([])
  })

  it('sends nothing twice at once where the clock leaps past its claims', async () => {
    const endpoint = await receiver(hang)
    await subscribe(subscription('erp', endpoint.url))
    const [id] = await ring()
    const { wake, stop } = running(deliverer())
    await endpoint.received(1)
    clock.jump(clock.now() + 3_600 * SECOND)
    await ring()
    wake()
    await endpoint.received(2)
    await stop()
    expect(endpoint.requests.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(1)
  })

  it('leaves a killed process its claims until they run out, then takes them up', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    await ring()
    await store.claim({ owner: 'killed', now: clock.now(), leaseMs: 75 * SECOND, slots: new Map([['erp', 1]]) })
    running(deliverer())
    await clock.advance(74 * SECOND)
    expect(endpoint.requests).toHaveLength(0)
    await clock.advance(2 * SECOND)
    await endpoint.received(1)
  })

  it('backs off while the store fails, and loses and repeats nothing', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    await ring(3)
    let broken = true
    let settles = 0
    const failing: DeliveryStore = {
      ...store,
      settle: async (owner, attemptResults) => {
        settles += 1
        if (broken) throw new ShipbellError('store_unusable', 'The disk is full.')
        await store.settle(owner, attemptResults)
      },
    }
    const { stop } = running(deliverer({ store: failing }))
    await logged('delivery.stalled', 1)
    await clock.advance(100 * SECOND)
    expect(settles).toBeLessThan(10)
    expect(lines.find(({ msg }) => msg === 'delivery.stalled')).toMatchObject({
      error: 'ShipbellError: The disk is full.',
      retry_in_ms: 1_000,
    })
    broken = false
    await clock.advance(30 * SECOND)
    await stop()
    expect(endpoint.requests).toHaveLength(3)
    expect(await states()).toEqual(['delivered', 'delivered', 'delivered'])
  })

  it('ends even where the store fails to the last, and says what was not written', async () => {
    const endpoint = await receiver()
    await subscribe(subscription('erp', endpoint.url))
    await ring()
    const failing: DeliveryStore = {
      ...store,
      settle: async () => await Promise.reject(new ShipbellError('store_unusable', 'The disk is full.')),
    }
    const { stop } = running(deliverer({ store: failing }))
    await logged('delivery.stalled')
    const stopped = stop()
    const before = clock.now()
    await clock.advance(2 * SECOND)
    await stopped
    expect(clock.now() - before).toBeLessThan(10 * SECOND)
    expect(lines.at(-1)).toMatchObject({ msg: 'delivery.unsettled', count: 1 })
  })

  it('follows a reload: a new url and secret count from the next attempt, a removed endpoint gets nothing', async () => {
    const [old, fresh] = [await receiver(), await receiver()]
    await subscribe(subscription('erp', old.url), subscription('gone', old.url))
    await ring()
    const { wake, stop } = running(deliverer())
    await old.received(2)
    await logged('delivery.attempted', 2)
    await subscribe(subscription('erp', fresh.url))
    await ring()
    wake()
    await fresh.received(1)
    await logged('delivery.attempted', 3)
    await stop()
    expect(old.requests).toHaveLength(2)
    expect(await states()).toEqual(['delivered', 'delivered', 'delivered'])
  })

  it('lets an attempt end on the settings it started with', async () => {
    const [old, fresh] = [await receiver(hang), await receiver()]
    await subscribe(subscription('erp', old.url))
    await ring()
    const { wake, stop } = running(deliverer())
    await old.received(1)
    await subscribe(subscription('erp', fresh.url))
    wake()
    await clock.advance(0)
    const [waiting] = old.requests
    waiting?.response.end()
    await logged('delivery.attempted', 1)
    await stop()
    expect(lines).toMatchObject([{ status: 200, next: 'delivered' }])
    expect(fresh.requests).toHaveLength(0)
  })
})
