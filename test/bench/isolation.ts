import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { createLogger } from '../../src/log.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import type { DeliveryStore, Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { batch, sampleEvent } from '../store/samples.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { startPeer } from './start-peer.ts'

const ENDPOINTS = 50
const ODD_ONE = 'endpoint 0'
const ROUNDS = 50
const WAVES = 10
const WAVE_EVERY_MS = 100
const SECRET = `whsec_${Buffer.from('a benchmark secret of 32 bytes !').toString('base64')}`
const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

/**
 * Fifty endpoints hear every event; once all answer, once one of them hangs and gathers a backlog. Compares how long events
 * take to the other forty-nine, from commit to settled, in rounds of a second that take turns: the median of the ratios of neighbouring rounds is what the
 * machine's other work disturbs least.
 */
export async function benchIsolation(): Promise<string> {
  using peer = await startPeer(0)
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  try {
    await using healthy = new Fleet(`${folder}/healthy.db`, peer.url, `${peer.url}/`)
    await using hanging = new Fleet(`${folder}/hanging.db`, peer.url, `${peer.url}/hang`)
    const [without, with_]: [number[], number[]] = [[], []]
    for (const fleet of [healthy, hanging]) await fleet.round()
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? [healthy, hanging] : [hanging, healthy]
      for (const fleet of order) (fleet === healthy ? without : with_).push(p99(await fleet.round()))
    }
    const [a, b] = [median(without), median(with_)]
    const ratio = median(with_.map((each, round) => each / (without[round] ?? Number.NaN)))
    return (
      `isolation, p99 of ${ENDPOINTS - 1} healthy endpoints in ${ROUNDS} rounds: ${b.toFixed(1)} ms with one that ` +
      `hangs (${await hanging.backlog()} behind it), ${a.toFixed(1)} ms without: ${ratio.toFixed(2)}×`
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A store with a deliverer to fifty endpoints, one of which lives at a URL of its own. */
class Fleet implements AsyncDisposable {
  readonly #store: Store
  readonly #deliverer: Deliverer
  readonly #subscriptions: readonly Subscription[]
  readonly #committedAt = new Map<string, number>()
  #latencies: number[] = []
  #events = 0

  constructor(file: string, url: string, oddUrl: string) {
    this.#store = openStore({ path: file })
    this.#subscriptions = Array.from({ length: ENDPOINTS }, (_, n) => `endpoint ${n}`).map((name) =>
      name === ODD_ONE ? subscriptionTo(name, oddUrl, 400) : subscriptionTo(name, url, 15_000),
    )
    this.#deliverer = createDeliverer({
      store: this.#measured(),
      clock: systemClock,
      log: LOG,
      random: () => 0,
      owner: 'bench',
      subscriptions: () => this.#subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: [500, 1_000, 2_000] }),
      version: '0',
    })
  }

  /** Milliseconds from commit to settled of every delivery to a healthy endpoint. */
  async round(): Promise<readonly number[]> {
    this.#latencies = []
    await this.#store.syncSubscriptions(this.#subscriptions, systemClock.now())
    const stopping = new AbortController()
    const running = this.#deliverer.run(stopping.signal)
    for (let wave = 0; wave < WAVES; wave += 1) {
      await this.#ring()
      await systemClock.sleep(WAVE_EVERY_MS)
    }
    while (this.#latencies.length < WAVES * (ENDPOINTS - 1)) await systemClock.sleep(WAVE_EVERY_MS)
    stopping.abort()
    await running
    return this.#latencies
  }

  async backlog(): Promise<number> {
    const endpoints = await this.#store.endpoints()
    return endpoints.find(({ subscription }) => subscription === ODD_ONE)?.counts.pending ?? 0
  }

  async #ring(): Promise<void> {
    this.#events += 1
    const event = sampleEvent(`evt_${this.#events}`, { timestamp: systemClock.now() })
    const deliveries = this.#subscriptions.map(({ name }) => ({ eventId: event.id, subscription: name }))
    this.#committedAt.set(event.id, performance.now())
    await this.#store.commit(batch({ events: [event], deliveries }))
    this.#deliverer.wake()
  }

  #measured(): DeliveryStore {
    const store = this.#store
    const startOf = new Map<string, number>()
    return {
      ...store,
      claim: async (request) => {
        const claimed = await store.claim(request)
        for (const { id, event, subscription } of claimed) {
          if (subscription !== ODD_ONE) startOf.set(id, this.#committedAt.get(event.id) ?? 0)
        }
        return claimed
      },
      settle: async (owner, settlements) => {
        await store.settle(owner, settlements)
        const now = performance.now()
        this.#latencies.push(...settlements.flatMap(({ id }) => startOf.get(id) ?? []).map((start) => now - start))
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deliverer[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}

function subscriptionTo(name: string, url: string, timeoutMs: number): Subscription {
  const channel = webhookChannel({ url, secrets: [SECRET], timeoutMs })
  return subscription(name, { channel })
}

function p99(values: readonly number[]): number {
  return quantile(values, 0.99)
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}
