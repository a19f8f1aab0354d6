import { describe, expect, test, vi } from 'vitest'
import { field } from '../../src/model/json.ts'
import { parseFaultRates } from '../../src/sandbox/fault-rates.ts'
import { randomOf, type Random } from '../../src/sandbox/random.ts'
import { LoopbackReceiver, SECRET, type Received } from '../support/loopback-receiver.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { multisetDifference } from './multiset-difference.ts'
import { SettledTruth } from './settled-truth.ts'
import { emittedOfPayload } from './emitted.ts'
import { dueText, duesOf } from './order-fates.ts'
import { REFERENCES, World, type Kind } from './world.ts'
import { WORLD_KEY, WorldServer } from './world-server.ts'

/** A failing fact shows only after this; machines are shared and noisy. */
const WAIT = { timeout: 80_000, interval: 20 }

const KINDS: readonly Kind[] = ['shipment', 'invoice', 'document', 'purchase_order', 'location', 'order_preparation']
const WATCHED = 7

/** Dates that no calendar comes by while a test runs. */
const ERA = Date.UTC(2040, 0, 1)
const ACCOUNT = { account: 'acme', zone: 'UTC', leads: [], graceMs: 86_400_000 }

const EVERY_LIST = ['/v1/shipments', '/v1/invoices', '/v1/documents', '/v1/purchaseOrders', '/v1/locations']
/**
 * Rows of a page. Rows jump by up to three: where four are born at once, pages of three may show none of the known ones until the list
 * ends, which is another account's list to whoever reads it.
 */
const PAGES = [5, 100]
const FROM_THE_START = [...EVERY_LIST.map((list) => `${list}?skip=0&take=100`), '/v1/orderPreparations/OP-1']

function configuration(urls: { readonly platform: string; readonly receiver: string }): string {
  return `accounts:
  acme:
    base_url: ${urls.platform}
    api_key: ${WORLD_KEY}
    budget: { requests: 1000, per: 1s, concurrency: 4 }
    watch:
      shipments: { every: 100ms, milestone_grace: 24h }
      tracking: { every: 300ms }
      invoices: { every: 100ms, due_soon: [] }
      documents: { every: 100ms }
      purchase_orders: { every: 100ms }
      locations: { every: 100ms }
      order_preparations: { every: 100ms, references: [${REFERENCES.join(', ')}] }
subscriptions:
  erp:
    url: ${urls.receiver}
    secret: ${SECRET}
    events: ["*", "account.*"]
delivery: { allow_networks: [127.0.0.0/8], retry: [100ms, 200ms, 500ms, 1s, 1s, 1s] }
http: false
`
}

/** The real program beside a world, with a death whenever the test says so. */
class ProgramLife implements AsyncDisposable {
  readonly world: World
  readonly #random: Random
  readonly #work = new Workplace()
  readonly #platform: WorldServer
  readonly #receiver: LoopbackReceiver
  readonly #truth = new SettledTruth(ACCOUNT)
  readonly #expected: string[] = []
  readonly #learntDues: ReadonlyMap<string, string>
  /** Told of every request that the program makes. */
  #onRequest: () => void = () => undefined
  #asked = new Map<string, number>()
  #program: RunningShipbell | null = null

  private constructor(seed: number, platform: WorldServer, receiver: LoopbackReceiver) {
    this.#random = randomOf('program', seed)
    this.#platform = platform
    this.#receiver = receiver
    const random = this.#random
    this.world = new World({ random, resources: KINDS, fewest: 4, era: ERA, isForgettable: () => false })
    this.#truth.learn(this.world)
    this.#learntDues = duesOf(this.world)
    platform.show({ world: this.world, random, mostRows: random.pick(PAGES) })
    platform.onRequest = (path) => {
      this.#asked.set(path, (this.#asked.get(path) ?? 0) + 1)
      this.#onRequest()
    }
    receiver.answer = () => {
      this.#onRequest()
      return 200
    }
    this.#work.write('shipbell.yaml', configuration({ platform: platform.url, receiver: receiver.url }))
  }

  static async begin(seed: number): Promise<ProgramLife> {
    return new ProgramLife(seed, await WorldServer.start(), await LoopbackReceiver.start())
  }

  start(): void {
    this.#program = this.#work.start('run')
  }

  /** The program is killed as it makes one of its next requests, to the platform or to the receiver. */
  async death(): Promise<void> {
    let left = this.#random.whole(1, 60)
    this.#onRequest = () => {
      left -= 1
      if (left === 0) this.#program?.kill('SIGKILL')
    }
    await this.#program?.ended
    this.#onRequest = () => undefined
  }

  /** Much happens at once. */
  change(): void {
    const tracked = new Map(this.world.tracking)
    for (let each = 0; each < 25; each += 1) this.world.mutate(this.#random)
    // What a shipment's tracking shows while it vanishes may be read or not.
    const present = new Set(this.world.of('shipment').map(({ id }) => id))
    for (const [id, tracking] of tracked) if (!present.has(id)) this.world.tracking.set(id, tracking)
    this.#expected.push(...this.#truth.turn(this.world).map(withoutInstant))
  }

  /** From then on rows may jump between pages: what a baseline overlooked would be created. */
  async baselined(): Promise<void> {
    await vi.waitFor(
      () => expect(this.#emitted().filter((event) => event.includes('baseline'))).toHaveLength(WATCHED),
      WAIT,
    )
    this.#platform.misbehave({ ...parseFaultRates('none'), shift: 0.1 }, 'rows jump')
  }

  /** Everything that must ring was received, and passes later nothing else. */
  async settled(): Promise<void> {
    await vi.waitFor(() => {
      const rang = this.#emitted().filter((event) => !event.includes('baseline'))
      expect(multisetDifference(this.#expected, rang)).toEqual({ missed: [], invented: [] })
    }, WAIT)
    this.#asked = new Map()
    const passes = (): number => Math.min(...FROM_THE_START.map((path) => this.#asked.get(path) ?? 0))
    await vi.waitFor(() => expect(passes()).toBeGreaterThan(1), WAIT)
    const rang = this.#emitted().filter((event) => !event.includes('baseline'))
    expect(multisetDifference(this.#expected, rang)).toEqual({ missed: [], invented: [] })
  }

  /** The last expected delivery that was told of each order is the true one; before any was told it was so at the baseline. */
  async dated(): Promise<void> {
    await vi.waitFor(() => {
      const told = new Map(this.#learntDues)
      const gone = new Set<string>()
      for (const event of this.#receiver.events) {
        const { subject, type } = event
        if (type === 'purchase_order.removed') gone.add(subject.id)
        if (type === 'purchase_order.eta_changed') told.set(subject.id, dueText(field(field(event, 'data'), 'to')))
      }
      const now = [...duesOf(this.world)].filter(([id]) => !gone.has(id))
      expect(now.map(([id]) => [id, told.get(id) ?? 'none'])).toEqual(now)
    }, WAIT)
  }

  /** Each event came under one id, always with the same words; every subject's chain and the sequence are whole. */
  expectOneIdEach(): void {
    const { events, problems, received } = this.#receiver
    const words = Map.groupBy(received, ({ id }) => id)
    const twoFaced = [...words.values()].filter((same) => new Set(same.map(textOf)).size > 1)
    expect({ problems, twoFaced }).toEqual({ problems: [], twoFaced: [] })
    expect(received.every(({ id, payload }) => payload['id'] === id)).toBe(true)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    for (const own of Map.groupBy(events, ({ subject }) => `${subject.resource} ${subject.id}`).values()) {
      expect(own.map(({ subject }) => subject.version)).toEqual(own.map((_, index) => index + 1))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#work[Symbol.dispose]()
    await this.#program?.ended
    await this.#platform[Symbol.asyncDispose]()
    await this.#receiver[Symbol.asyncDispose]()
  }

  /** But for what is derived of several records, which `dated` judges. */
  #emitted(): readonly string[] {
    return this.#receiver.events.filter((event) => event['cause'] !== 'derived').map(emittedOfPayload)
  }
}

/** When a day was crossed is known only to the program. */
function withoutInstant(event: string): string {
  return event.replace(/\["at","[^"]*"\],?/, '')
}

function textOf({ payload }: Received): string {
  return JSON.stringify(payload)
}

describe.concurrent('the real program in a world, killed at any moment', () => {
  test.each([1, 2, 3, 4, 5])('life %i: each change rings once, under one id', { timeout: 180_000 }, async (seed) => {
    await using life = await ProgramLife.begin(seed)
    life.start()
    await life.death()
    life.start()
    await life.baselined()
    life.change()
    await life.death()
    life.start()
    await life.settled()
    await life.dated()
    life.expectOneIdEach()
  })
})
