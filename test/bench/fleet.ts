import { systemClock } from '../../src/clock.ts'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { createLogger } from '../../src/log.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import type { Resolve } from '../../src/http/names/name-resolver.ts'
import type { DeliveryStore } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { batch, sampleEvent } from '../store/samples.ts'
import { quantile } from './measure.ts'

const WAVES = 10
const WAVE_EVERY_MS = 100
const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

export interface FleetOptions {
  readonly file: string
  readonly subscriptions: readonly Subscription[]
  /** Names of those that are not well, and not measured. */
  readonly odd: ReadonlySet<string>
  readonly retryMs: readonly number[]
  readonly resolve?: Resolve
}

/** A store with a deliverer to endpoints that hear every event, of which some are not well. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions
  readonly #store: Store
  readonly #deliverer: Deliverer
  readonly #committedAt = new Map<string, number>()
  #latencies: number[] = []
  #events = 0

  constructor(options: FleetOptions) {
    const { file, subscriptions, retryMs, resolve } = options
    this.#options = options
    this.#store = openStore({ path: file })
    this.#deliverer = createDeliverer({
      store: this.#measured(),
      clock: systemClock,
      log: LOG,
      random: () => 0,
      owner: () => 'bench',
      subscriptions: () => subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs }),
      version: '0',
      ...(resolve && { resolve }),
    })
  }

  /** Milliseconds from commit to settled of every delivery to a healthy endpoint. */
  async round(): Promise<readonly number[]> {
    const { subscriptions, odd } = this.#options
    this.#latencies = []
    await this.#store.syncSubscriptions(subscriptions, systemClock.now())
    const stopping = new AbortController()
    const running = this.#deliverer.run(stopping.signal)
    for (let wave = 0; wave < WAVES; wave += 1) {
      await this.#ring()
      await systemClock.sleep(WAVE_EVERY_MS)
    }
    while (this.#latencies.length < WAVES * (subscriptions.length - odd.size)) await systemClock.sleep(WAVE_EVERY_MS)
    stopping.abort()
    await running
    return this.#latencies
  }

  /** Events that wait for those that are not well. */
  async backlog(): Promise<number> {
    const endpoints = await this.#store.endpoints()
    const unwell = endpoints.filter(({ subscription }) => this.#options.odd.has(subscription))
    return unwell.reduce((sum, { counts }) => sum + counts.pending, 0)
  }

  async #ring(): Promise<void> {
    this.#events += 1
    const event = sampleEvent(`evt_${this.#events}`, { timestamp: systemClock.now() })
    const deliveries = this.#options.subscriptions.map(({ name }) => ({ eventId: event.id, subscription: name }))
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
          if (!this.#options.odd.has(subscription)) startOf.set(id, this.#committedAt.get(event.id) ?? 0)
        }
        return claimed
      },
      settle: async (owner, attemptResults) => {
        await store.settle(owner, attemptResults)
        const now = performance.now()
        this.#latencies.push(...attemptResults.flatMap(({ id }) => startOf.get(id) ?? []).map((start) => now - start))
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deliverer[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}

export interface Comparison {
  /** Of the rounds' 99th percentiles. */
  readonly without: number
  readonly beside: number
  readonly ratio: number
}

/**
 * Rounds of a second in which two fleets take turns: the median of the ratios of neighbouring rounds is what the machine's
 * other work disturbs least.
 */
export async function compareFleets(healthy: Fleet, mixed: Fleet, rounds: number): Promise<Comparison> {
  const [without, beside]: [number[], number[]] = [[], []]
  for (const fleet of [healthy, mixed]) await fleet.round()
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [healthy, mixed] : [mixed, healthy]
    for (const fleet of order) (fleet === healthy ? without : beside).push(quantile(await fleet.round(), 0.99))
  }
  const ratios = beside.map((each, round) => each / (without[round] ?? Number.NaN))
  return { without: quantile(without, 0.5), beside: quantile(beside, 0.5), ratio: quantile(ratios, 0.5) }
}
