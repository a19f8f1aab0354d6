import { createDeliverer, type Deliverer } from '../../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../../src/log.ts'
import type { Delivery } from '../../../../src/model/delivery.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { EmailChannel, Subscription } from '../../../../src/model/subscription.ts'
import type { DeliveryStore } from '../../../../src/store/ports/delivery-port.ts'
import type { Store } from '../../../../src/store/ports/store.ts'
import { ofTest } from '../../../support/of-test.ts'
import { StoreFile } from '../../../support/store-file.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { MailServer, type ReceivedMail } from '../../../support/mail-server.ts'
import { subscription } from '../../../support/subscription.ts'
import { sampleEvent } from '../../sample-event.ts'
import { emailChannel } from './mailing.ts'
import { deliveriesOf } from '../../../support/log-rows.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

/** The clock is moved while real mails are under way: no deadline may come of that. */
const HOUR = 3_600_000

export interface DeskOptions {
  readonly start: string
  readonly channel?: Partial<EmailChannel>
  readonly retryMs?: readonly number[]
  /** Of the mail server. */
  readonly server?: Parameters<typeof MailServer.start>[0]
}

/** A store, a clock and a mail server, and a subscription that is told by mail. Lives as long as the test. */
export class MailDesk {
  readonly clock: FakeClock
  readonly store: Store
  readonly server: MailServer
  subscriptions: readonly Subscription[]
  readonly #retryMs: readonly number[]
  #rung = 0

  private constructor(
    parts: { store: Store; server: MailServer },
    { start, channel, retryMs = [60_000] }: DeskOptions,
  ) {
    this.clock = new FakeClock(Date.parse(start))
    this.store = parts.store
    this.server = parts.server
    this.#retryMs = retryMs
    this.subscriptions = [
      subscription('finance', { channel: emailChannel({ server: parts.server.url(), timeoutMs: HOUR, ...channel }) }),
    ]
  }

  static async open(options: DeskOptions): Promise<MailDesk> {
    const { store } = ofTest(new StoreFile())
    const desk = new MailDesk({ store, server: await MailServer.start(options.server) }, options)
    await store.syncSubscriptions(desk.subscriptions, desk.clock.now())
    return desk
  }

  /** Events of now; resolves to the ids of their deliveries, oldest first. */
  async ring(amount = 1, about: Partial<ShipbellEvent> = {}): Promise<readonly string[]> {
    const events = Array.from({ length: amount }, () => {
      this.#rung += 1
      const id = `evt_${String(this.#rung).padStart(5, '0')}`
      const subject = { ...sampleEvent().subject, id: `SHP-${this.#rung}` }
      return sampleEvent({ id, subject, timestamp: this.clock.now(), ...about })
    })
    const deliveries = events.map(({ id }) => ({ eventId: id, subscription: 'finance' }))
    await this.store.commit({
      account: 'acme',
      storedAt: this.clock.now(),
      records: [],
      changes: [],
      dates: [],
      events,
      deliveries,
    })
    return (await deliveriesOf(this.store, { limit: amount })).toReversed().map(({ id }) => id)
  }

  deliverer(store: DeliveryStore = this.store): Deliverer {
    return createDeliverer({
      store,
      clock: this.clock,
      log: LOG,
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => this.subscriptions,
      settings: () => ({ allowNetworks: [], retryMs: this.#retryMs }),
      version: '9.9.9',
    })
  }

  /** What a process that starts now sends; resolves to the mails that it sent. */
  async deliver(only?: readonly string[]): Promise<readonly ReceivedMail[]> {
    const before = this.server.mails.length
    await using deliverer = this.deliverer()
    await deliverer.drain(new AbortController().signal, only)
    return this.server.mails.slice(before)
  }

  async deliverAt(instant: string): Promise<readonly ReceivedMail[]> {
    this.clock.jump(Date.parse(instant))
    return await this.deliver()
  }

  /** Oldest first. */
  async rows(): Promise<readonly Delivery[]> {
    return (await deliveriesOf(this.store, { limit: 1_000 })).toReversed()
  }

  async states(): Promise<readonly string[]> {
    return (await this.rows()).map(({ state }) => state)
  }
}
