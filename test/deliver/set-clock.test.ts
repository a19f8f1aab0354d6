import { assert, asyncProperty, boolean, integer, record } from 'fast-check'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { createLogger } from '../../src/log.ts'
import type { Delivery } from '../../src/model/delivery.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ofTest } from '../support/of-test.ts'
import { StoreFile } from '../support/store-file.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { sampleEvent } from './sample-event.ts'
import { ScriptedReceiver, status } from './scripted-receiver.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
const LEAPS = [
  ['10 seconds', 10 * SECOND],
  ['an hour', HOUR],
  ['10 days', 10 * DAY],
  ['a year', 366 * DAY],
] as const

interface About {
  readonly retryMs?: readonly number[]
  readonly subscription?: Partial<Subscription>
}

/** One endpoint, and a process that delivers to it and may be followed by another. Lives as long as the test. */
class SetClockWorld {
  readonly clock = new FakeClock()
  readonly receiver: ScriptedReceiver
  readonly #retryMs: readonly number[]
  readonly #subscriptions: readonly Subscription[]
  readonly #file = ofTest(new StoreFile())
  #process: Deliverer
  #rung = 0

  private constructor(receiver: ScriptedReceiver, about: About) {
    this.receiver = receiver
    this.#retryMs = about.retryMs ?? [5 * SECOND]
    const channel = webhookChannel({ url: receiver.url, timeoutMs: DAY })
    this.#subscriptions = [subscription('erp', { channel, ...about.subscription })]
    this.#process = this.#start()
  }

  static async create(about: About = {}): Promise<SetClockWorld> {
    const receiver = await ScriptedReceiver.start(status(500))
    const world = new SetClockWorld(receiver, about)
    onTestFinished(async () => {
      await world.#process[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    })
    await world.#sync()
    return world
  }

  get store(): Store {
    return this.#file.store
  }

  async ring(): Promise<void> {
    this.#rung += 1
    const event = sampleEvent({ id: `evt_${this.#rung}`, timestamp: this.clock.now() })
    const deliveries = [{ eventId: event.id, subscription: 'erp' }]
    await this.store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [event], deliveries })
  }

  /** What is due now; resolves to how many attempts that took. */
  async deliver(): Promise<number> {
    const before = this.receiver.requests.length
    await this.#process.drain(new AbortController().signal)
    return this.receiver.requests.length - before
  }

  async restart(): Promise<void> {
    await this.#process[Symbol.asyncDispose]()
    await this.#file.reopen()
    this.#process = this.#start()
    await this.store.recoverClaims()
    await this.#sync()
  }

  /** What is due now, of which one attempt is under way when `meanwhile` happens. */
  async deliverMeanwhile(meanwhile: () => void): Promise<void> {
    const delivered = this.deliver()
    await this.receiver.received(this.receiver.requests.length + 1)
    meanwhile()
    this.#process.wake()
    await delivered
  }

  /** Oldest first. */
  async rows(): Promise<readonly Delivery[]> {
    return (await deliveriesOf(this.store, { limit: 99 })).toReversed()
  }

  pass(ms: number): void {
    this.clock.jump(this.clock.now() + ms)
  }

  set(by: number): void {
    this.clock.set(this.clock.now() + by)
  }

  async #sync(): Promise<void> {
    await this.store.syncSubscriptions(this.#subscriptions, this.clock.now())
  }

  #start(): Deliverer {
    return createDeliverer({
      store: this.store,
      clock: this.clock,
      log: LOG,
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => this.#subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: this.#retryMs }),
      version: '9.9.9',
    })
  }
}

describe.each(LEAPS)('a clock that was ahead by %s and is set back', (_, ms) => {
  it.each([
    ['while the process runs', false],
    ['before the next process', true],
  ])('%s holds nothing up: what was never tried goes at once, what failed after its step', async (__, restarts) => {
    const world = await SetClockWorld.create()
    await world.ring()
    expect(await world.deliver()).toBe(1)
    await world.ring()
    world.set(-ms)
    if (restarts) await world.restart()
    world.receiver.answer = status(200)
    await world.ring()
    expect(await world.deliver()).toBe(2)
    expect(await world.rows()).toMatchObject([
      { state: 'pending', nextAttemptAt: world.clock.now() + 5 * SECOND },
      { state: 'delivered' },
      { state: 'delivered' },
    ])
    world.pass(5 * SECOND - 1)
    expect(await world.deliver()).toBe(0)
    world.pass(1)
    expect(await world.deliver()).toBe(1)
    expect((await world.rows())[0]).toMatchObject({ state: 'delivered' })
  })

  it('does not shorten what `Retry-After` asks for', async () => {
    const world = await SetClockWorld.create()
    world.receiver.answer = status(503, { 'retry-after': '3600' })
    await world.ring()
    await world.deliver()
    world.set(-ms)
    world.pass(HOUR - 1)
    expect(await world.deliver()).toBe(0)
    world.pass(1)
    expect(await world.deliver()).toBe(1)
  })

  it('leaves nothing undelivered that a rate holds back', async () => {
    const rate = { requests: 1, perMs: SECOND }
    const world = await SetClockWorld.create({ subscription: { rate } })
    world.receiver.answer = status(200)
    for (let rung = 0; rung < 3; rung += 1) await world.ring()
    world.set(-ms)
    const delivered = world.deliver()
    while (world.receiver.requests.length < 3) await world.clock.advance(SECOND / 4)
    expect(await delivered).toBe(3)
  })
})

it.each([['30 milliseconds', 30] as const, ...LEAPS])(
  'a clock that is set back by %s repeats what fails by its schedule, and no faster',
  async (_, ms) => {
    const world = await SetClockWorld.create({ retryMs: [5 * SECOND, 5 * SECOND, 5 * SECOND] })
    await world.ring()
    await world.deliver()
    world.set(-ms)
    const attempts: number[] = []
    for (let second = 1; second <= 20; second += 1) {
      world.pass(SECOND)
      if ((await world.deliver()) > 0) attempts.push(second)
    }
    expect(attempts).toEqual([5, 10, 15])
    expect(await world.rows()).toMatchObject([{ state: 'exhausted', attempts: 4 }])
  },
)

describe.each(LEAPS)('a clock that is set forwards by %s', (_, ms) => {
  it('while the process runs shortens no wait', async () => {
    const world = await SetClockWorld.create()
    await world.ring()
    await world.deliver()
    world.set(ms)
    expect(await world.deliver()).toBe(0)
    expect(await world.rows()).toMatchObject([{ nextAttemptAt: world.clock.now() + 5 * SECOND }])
    world.pass(5 * SECOND)
    expect(await world.deliver()).toBe(1)
  })

  it('before the next process is time that passed', async () => {
    const world = await SetClockWorld.create()
    await world.ring()
    await world.deliver()
    world.set(ms)
    await world.restart()
    expect(await world.deliver()).toBe(1)
  })
})

it.each(LEAPS)(
  'a clock that is set back by %s during an attempt shortens no wait of the next process',
  async (_, ms) => {
    const world = await SetClockWorld.create({ retryMs: [HOUR, HOUR] })
    await world.ring()
    await world.deliver()
    await world.ring()
    world.receiver.answer = ({ response }) => {
      setImmediate(() => setImmediate(() => setImmediate(() => response.writeHead(500).end())))
    }
    await world.deliverMeanwhile(() => world.set(-ms))
    await world.restart()
    world.pass(HOUR - 1)
    expect(await world.deliver()).toBe(0)
    world.pass(1)
    expect(await world.deliver()).toBe(2)
  },
)

test('a command that asks for what waits is obeyed at once, however far the clocks are apart', async () => {
  const world = await SetClockWorld.create({ retryMs: [HOUR] })
  await world.ring()
  await world.deliver()
  const [row] = await world.rows()
  world.set(-DAY)
  await world.deliver()
  await world.store.retry([row?.id ?? ''], { at: world.clock.now(), delivered: false })
  expect(await world.deliver()).toBe(1)
})

test('one leap, of any size at any time, lengthens or shortens a wait by less than itself', async () => {
  const step = HOUR
  const leap = record({
    ms: integer({ min: -400 * DAY, max: 400 * DAY }),
    after: integer({ min: 0, max: step }),
    restarts: boolean(),
  })
  await assert(
    asyncProperty(leap, async ({ ms, after, restarts }) => {
      const world = await SetClockWorld.create({ retryMs: [step] })
      await world.ring()
      await world.deliver()
      const since = world.clock.monotonic()
      world.pass(after)
      world.set(ms)
      if (restarts) await world.restart()
      while ((await world.deliver()) === 0 && world.clock.monotonic() - since <= 3 * step) world.pass(step / 10)
      const waited = world.clock.monotonic() - since
      if (!restarts) expect(waited).toBeGreaterThanOrEqual(step)
      expect(waited).toBeLessThanOrEqual((restarts ? 2 : 1) * step + step / 10)
    }),
    { numRuns: 25 },
  )
})
