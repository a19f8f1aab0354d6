import { onTestFinished } from 'vitest'
import { askedProbes } from '../../src/operate/asked-probes.ts'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { EndpointWatch, type EndpointWatchDeps, type RingEndpoint } from '../../src/deliver/endpoint-watch.ts'
import { createLogger } from '../../src/log.ts'
import type { LoggedEvent } from '../../src/model/event.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ringEndpoint } from '../../src/poll/ingest/update-record.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ofTest } from '../support/of-test.ts'
import { StoreFile } from '../support/store-file.ts'
import { sampleEvent } from './sample-event.ts'
import { eventsOf } from '../support/log-rows.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
const NEVER = new AbortController().signal

/** A store, its subscriptions and processes that deliver from it one after another. Lives as long as the test. */
export class EndpointWorld {
  readonly clock = new FakeClock()
  retryMs: readonly number[] = []
  #subscriptions: readonly Subscription[] = []
  #rung = 0
  #deliverer: Deliverer | null = null
  readonly #file = ofTest(new StoreFile())

  static async create(...subscriptions: readonly Subscription[]): Promise<EndpointWorld> {
    const world = new EndpointWorld()
    await world.configure(...subscriptions)
    return world
  }

  get store(): Store {
    return this.#file.store
  }

  /** Also while it delivers. */
  async configure(...subscriptions: readonly Subscription[]): Promise<void> {
    await this.store.syncSubscriptions(subscriptions, this.clock.now())
    this.#subscriptions = subscriptions
    this.#deliverer?.wake()
  }

  /** Another process takes over. */
  async restart(): Promise<void> {
    await (await this.#file.reopen()).recoverClaims()
  }

  /** Events for one subscription. */
  async ring(subscription: string, count = 1): Promise<void> {
    const events = Array.from({ length: count }, () => {
      this.#rung += 1
      return sampleEvent({ id: `evt_${String(this.#rung).padStart(6, '0')}`, timestamp: this.clock.now() })
    })
    const deliveries = events.map(({ id }) => ({ eventId: id, subscription }))
    await this.store.commit({ account: 'acme', records: [], changes: [], dates: [], events, deliveries })
    this.#deliverer?.wake()
  }

  async ringTest(subscription: string): Promise<void> {
    const events = [sampleEvent({ id: 'evt_test', cause: 'test', timestamp: this.clock.now() })]
    const deliveries = [{ eventId: 'evt_test', subscription }]
    await this.store.commit({ account: 'acme', records: [], changes: [], dates: [], events, deliveries })
    this.#deliverer?.wake()
  }

  /** Delivers what is due now, what that rings included. `unwatched`: a process that dies before it tells anybody. */
  async deliver({ unwatched = false, ring = this.ringing() } = {}): Promise<void> {
    await using deliverer = this.#process(unwatched ? null : this.watch(ring))
    await deliverer.drain(NEVER)
  }

  /** A process that delivers until it is stopped, or the test ends. */
  start(): { readonly stop: () => Promise<void> } {
    const deliverer = this.#process(this.watch())
    const stopping = new AbortController()
    const ended = deliverer.run(stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await ended
      await deliverer[Symbol.asyncDispose]()
    }
    onTestFinished(stop)
    return { stop }
  }

  #process(watch: EndpointWatch | null): Deliverer {
    const { clock, store } = this
    this.#deliverer = createDeliverer({
      store,
      clock,
      log: LOG,
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => this.#subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: this.retryMs }),
      version: '9.9.9',
      askedProbes: async () => await askedProbes(store),
      ...(watch === null ? {} : { watch }),
    })
    return this.#deliverer
  }

  /** Delivers at every instant at which something is due, until `until`. */
  async live(until: number): Promise<void> {
    await this.deliver()
    for (;;) {
      const dueAt = await this.store.nextDueAt()
      if (dueAt === null || dueAt > until) break
      this.clock.jump(Math.max(dueAt, this.clock.now()))
      await this.deliver()
    }
    this.clock.jump(until)
    await this.deliver()
  }

  /** What was told of endpoints, oldest first. */
  async notices(): Promise<readonly LoggedEvent[]> {
    const types = ['failing', 'exhausted', 'disabled', 'recovered'].map((type) => `endpoint.${type}`)
    return (await eventsOf(this.store, { types, limit: 1_000 })).toReversed()
  }

  async emitted(): Promise<readonly string[]> {
    return (await this.notices()).map(({ type, subject }) => `${subject.id} ${type.slice('endpoint.'.length)}`)
  }

  watch(ring: RingEndpoint = this.ringing(), store: EndpointWatchDeps['store'] = this.store): EndpointWatch {
    return new EndpointWatch({ store, ring, clock: this.clock, log: LOG })
  }

  ringing(): RingEndpoint {
    const subscriptions = (): readonly Subscription[] => this.#subscriptions
    const committer = new Committer({
      store: this.store,
      clock: this.clock,
      subscriptions,
      onDeliveries: () => undefined,
    })
    return async (...rung) => await ringEndpoint(committer, ...rung)
  }
}
