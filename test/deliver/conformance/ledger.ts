import { createDeliverer } from '../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../src/log.ts'
import type { Attempt, Delivery } from '../../../src/model/delivery.ts'
import type { Subscription } from '../../../src/model/subscription.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { ofTest } from '../../support/of-test.ts'
import { StoreFile } from '../../support/store-file.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'
import { sampleEvent } from '../sample-event.ts'
import { SECRET } from './sending.ts'
import { subscription } from '../../support/subscription.ts'
import { deliveriesOf } from '../../support/log-rows.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

export interface LedgerOptions {
  readonly url: string
  readonly retryMs: readonly number[]
  /** In [0, 1): the jitter. */
  readonly random?: number
}

/** One subscription with one event to deliver, and what its ledger says. Lives as long as the test. */
export class Ledger {
  readonly clock = new FakeClock()
  readonly store: Store
  readonly #options: LedgerOptions
  readonly #subscription: Subscription

  private constructor(store: Store, options: LedgerOptions) {
    const channel = webhookChannel({ url: options.url, secrets: [SECRET], concurrency: 1 })
    this.store = store
    this.#options = options
    this.#subscription = subscription('erp', { channel })
  }

  static async open(options: LedgerOptions): Promise<Ledger> {
    const { store } = ofTest(new StoreFile())
    const ledger = new Ledger(store, options)
    await store.syncSubscriptions([ledger.#subscription], ledger.clock.now())
    await ledger.ring('evt_0001')
    return ledger
  }

  async ring(id: string): Promise<void> {
    const events = [sampleEvent({ id, timestamp: this.clock.now() })]
    await this.store.commit({
      account: 'acme',
      records: [],
      changes: [],
      dates: [],
      events,
      deliveries: [{ eventId: id, subscription: 'erp' }],
    })
  }

  /** Sends what is due now. */
  async deliver(): Promise<Delivery> {
    const { retryMs, random = 0 } = this.#options
    await using deliverer = createDeliverer({
      store: this.store,
      clock: this.clock,
      log: LOG,
      random: () => random,
      owner: () => 'test',
      subscriptions: () => [this.#subscription],
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs }),
      version: '9.9.9',
    })
    await deliverer.drain(new AbortController().signal)
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
    return await deliveriesOf(this.store, { limit: 1_000 })
  }

  async attempts(): Promise<readonly Attempt[]> {
    return await this.store.attempts((await this.row()).id)
  }
}
