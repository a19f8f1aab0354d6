import { onTestFinished } from 'vitest'
import { createDeliverer, type Deliverer } from '../../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../../src/log.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { Subscription } from '../../../../src/model/subscription.ts'
import type { Store } from '../../../../src/store/ports/store.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { deliveriesOf } from '../../../support/log-rows.ts'
import { ofTest } from '../../../support/of-test.ts'
import { StoreFile } from '../../../support/store-file.ts'
import { subscription } from '../../../support/subscription.ts'
import { sampleEvent } from '../../sample-event.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'
import { SimulatedSlack } from './simulated-slack.ts'

const SECOND = 1_000

interface LivingOptions {
  /** Secrets beside the token. */
  readonly hidden?: readonly string[]
  readonly signingSecret?: string | null
}

/** A subscription whose shipments have living messages in a Slack on loopback. */
export class Living {
  readonly clock = new FakeClock()
  readonly lines: string[] = []
  readonly slack: SimulatedSlack
  readonly subscription: Subscription
  readonly #file: StoreFile
  #rung = 0

  private constructor(slack: SimulatedSlack, file: StoreFile, { hidden = [], signingSecret = null }: LivingOptions) {
    this.slack = slack
    this.#file = file
    const { token, url } = slack
    const app = { token, channel: 'C0123', signingSecret }
    const settings = { kind: 'slack', url, app, hidden: [token, ...hidden], ...PEOPLES_CHANNEL } as const
    this.subscription = subscription('ops', { channel: { ...settings, timeoutMs: 15_000, concurrency: 1 } })
  }

  static async open(options: LivingOptions = {}): Promise<Living> {
    const living = new Living(ofTest(await SimulatedSlack.start()), ofTest(new StoreFile()), options)
    await living.store.syncSubscriptions([living.subscription], living.clock.now())
    return living
  }

  get store(): Store {
    return this.#file.store
  }

  /** Rings an event of a shipment; null: of none. */
  async ring(shipment: string | null, about: Partial<ShipbellEvent> = {}): Promise<string> {
    this.#rung += 1
    const id = `evt_${String(this.#rung).padStart(5, '0')}`
    const sample = sampleEvent({ id, sequence: this.#rung, timestamp: this.clock.now() - 60 * SECOND, ...about })
    const { shipment: summary } = sample
    const of = {
      ...sample.subject,
      id: shipment ?? 'LOC-1',
      resource: shipment === null ? 'location' : 'shipment',
    } as const
    const event = {
      ...sample,
      subject: of,
      shipment: shipment === null || summary === null ? null : { ...summary, id: shipment },
    }
    const deliveries = [{ eventId: id, subscription: 'ops' }]
    await this.store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [event], deliveries })
    return id
  }

  deliverer(store: Store): Deliverer {
    const list = [this.subscription]
    const deliverer = createDeliverer({
      store,
      living: store,
      clock: this.clock,
      log: createLogger({
        level: 'debug',
        pretty: false,
        colour: false,
        secrets: () => [],
        write: (line) => void this.lines.push(line),
      }),
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => list,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: [5 * SECOND, 300 * SECOND] }),
      version: '9.9.9',
    })
    onTestFinished(async () => await deliverer[Symbol.asyncDispose]())
    return deliverer
  }

  /** Sends what is due, as a process that begins anew. */
  async drain(store: Store = this.store): Promise<void> {
    await this.deliverer(store).drain(new AbortController().signal)
  }

  /** A daemon until the end of the test. */
  run(): void {
    const stopping = new AbortController()
    const ended = this.deliverer(this.store).run(stopping.signal)
    onTestFinished(async () => {
      stopping.abort()
      await ended
    })
  }

  /** What was sent is sent again in time. */
  async later(ms = 5 * SECOND): Promise<void> {
    await this.clock.advance(ms)
    await this.drain()
  }

  async states(): Promise<readonly string[]> {
    const rows = await deliveriesOf(this.store, { limit: 100 })
    return rows.map(({ state }) => state).toSorted()
  }

  /** The texts of the thread of the one message that there is. */
  get log(): readonly string[] {
    const [top] = this.slack.tops
    return top === undefined ? [] : this.slack.thread(top).map(({ text }) => text)
  }
}
