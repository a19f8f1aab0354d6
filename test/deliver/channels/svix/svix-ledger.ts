import { createDeliverer, type Deliverer } from '../../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../../src/log.ts'
import type { Attempt, Delivery } from '../../../../src/model/delivery.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { Subscription, SvixChannel } from '../../../../src/model/subscription.ts'
import type { Store } from '../../../../src/store/ports/store.ts'
import { ofTest } from '../../../support/of-test.ts'
import { StoreFile } from '../../../support/store-file.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { subscription } from '../../../support/subscription.ts'
import { sampleEvent } from '../../sample-event.ts'
import { deliveriesOf } from '../../../support/log-rows.ts'

export const TOKEN = 'sk_test_4fJ7verySecret.eu'
const NEVER = new AbortController().signal

export interface SvixLedgerOptions {
  readonly channel: Partial<SvixChannel> & { readonly server: string }
  readonly about?: Partial<Subscription>
  readonly retryMs?: readonly number[]
  /** What every host name resolves to. */
  readonly address?: string
}

/** One subscription that a Svix server delivers for, its rows, and one deliverer: what a process is. Lives as long as the test. */
export class SvixLedger {
  readonly clock = new FakeClock()
  readonly lines: string[] = []
  readonly store: Store
  readonly deliverer: Deliverer
  readonly subscription: Subscription
  #sequence = 0

  private constructor(store: Store, { channel, about, retryMs = [5_000, 60_000], address }: SvixLedgerOptions) {
    const svix: SvixChannel = {
      kind: 'svix',
      token: TOKEN,
      hidden: [TOKEN],
      app: 'acme',
      timeoutMs: 15_000,
      concurrency: 4,
      ...channel,
    }
    const settings = { allowNetworks: ['127.0.0.0/8'], retryMs }
    this.store = store
    this.subscription = subscription('hub', { channel: svix, ...about })
    const subscriptions = [this.subscription]
    this.deliverer = createDeliverer({
      store,
      clock: this.clock,
      log: createLogger({
        level: 'trace',
        pretty: false,
        colour: false,
        secrets: () => [],
        write: (line) => this.lines.push(line),
      }),
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => subscriptions,
      settings: () => settings,
      version: '9.9.9',
      resolve: async () => await Promise.resolve([{ address: address ?? '93.184.216.34', family: 4 }]),
    })
  }

  static async open(options: SvixLedgerOptions): Promise<SvixLedger> {
    const { store } = ofTest(new StoreFile())
    const ledger = new SvixLedger(store, options)
    ofTest(ledger.deliverer)
    await store.syncSubscriptions([ledger.subscription], ledger.clock.now())
    return ledger
  }

  /** Rings an event of the account acme, with a row for the subscription. */
  async ring(id: string, about: Partial<ShipbellEvent> = {}): Promise<ShipbellEvent> {
    this.#sequence += 1
    const event = sampleEvent({ id, timestamp: this.clock.now(), sequence: this.#sequence, ...about })
    const deliveries = [{ eventId: id, subscription: 'hub' }]
    await this.store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [event], deliveries })
    return event
  }

  /** Sends what is due now. */
  async deliver(signal: AbortSignal = NEVER): Promise<Delivery> {
    await this.deliverer.drain(signal)
    return await this.row()
  }

  /** The row of the first event. */
  async row(): Promise<Delivery> {
    const row = (await this.rows()).at(-1)
    if (row === undefined) throw new Error('the ledger is empty')
    return row
  }

  /** Newest first. */
  async rows(): Promise<readonly Delivery[]> {
    return await deliveriesOf(this.store, { limit: 100 })
  }

  async attempts(): Promise<readonly Attempt[]> {
    return await this.store.attempts((await this.row()).id)
  }
}
