import { postingSecrets } from '../../../../src/config/channel-secrets.ts'
import { onTestFinished } from 'vitest'
import { createDeliverer, type Deliverer } from '../../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../../src/log.ts'
import type { Delivery } from '../../../../src/model/delivery.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { Subscription } from '../../../../src/model/subscription.ts'
import type { DeliveryStore } from '../../../../src/store/ports/delivery-port.ts'
import type { Store } from '../../../../src/store/ports/store.ts'
import { ofTest } from '../../../support/of-test.ts'
import { StoreFile } from '../../../support/store-file.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { subscription } from '../../../support/subscription.ts'
import { sampleEvent } from '../../sample-event.ts'
import { type ReceivedRequest, ScriptedReceiver, status } from '../../scripted-receiver.ts'
import { shownTexts } from './slack-limits.ts'
import { deliveriesOf } from '../../../support/log-rows.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'

const SECOND = 1_000
export const HOOK = '/services/T0AAAAAA/B0BBBBBB/abcdefghijklmnopqrstuvwx'
export const OK = status(200, { 'content-type': 'text/html' }, 'ok')

interface Ring extends Partial<Pick<ShipbellEvent, 'account' | 'cause'>> {
  /** How long ago; by default long enough that nothing more is waited for. */
  readonly age?: number
  readonly resource?: 'shipment' | 'invoice'
  /** Whom it is for; by default the subscription. */
  readonly to?: string
}

/** A Slack on loopback, a subscription that posts to it, and its ledger. Lives as long as the test. */
export class SlackLedger {
  readonly clock = new FakeClock()
  /** Every line that was logged. */
  readonly log: string[] = []
  readonly slack: ScriptedReceiver
  readonly store: Store
  subscription: Subscription
  /** Beside the subscription; not to be changed once a deliverer is at work. */
  others: readonly Subscription[] = []
  /** When events are stored; null: when they were seen. */
  storedAt: number | null = null
  #rung = 0
  #list: readonly Subscription[] = []

  private constructor(slack: ScriptedReceiver, store: Store) {
    this.slack = slack
    this.store = store
    const url = `${slack.url}${HOOK}`
    this.subscription = subscription('ops', {
      channel: {
        kind: 'slack',
        url,
        hidden: postingSecrets(url),
        ...PEOPLES_CHANNEL,
        timeoutMs: 15_000,
        concurrency: 1,
      },
    })
  }

  static async open(answer: ScriptedReceiver['answer'] = OK): Promise<SlackLedger> {
    const { store } = ofTest(new StoreFile())
    const slack = ofTest(await ScriptedReceiver.start(answer))
    const ledger = new SlackLedger(slack, store)
    await store.syncSubscriptions([ledger.subscription], ledger.clock.now())
    return ledger
  }

  async ring(
    count: number,
    { age = 60 * SECOND, resource = 'shipment', to = this.subscription.name, ...about }: Ring = {},
  ): Promise<void> {
    const events = Array.from({ length: count }, () => {
      this.#rung += 1
      const subject = { resource, id: `SHP-${this.#rung}`, version: 1, previousEventId: null } as const
      const id = `evt_${String(this.#rung).padStart(5, '0')}`
      return sampleEvent({
        id,
        subject,
        ...(resource !== 'shipment' && { shipment: null, object: {} }),
        timestamp: this.clock.now() - age,
        ...about,
      })
    })
    const deliveries = events.map(({ id }) => ({ eventId: id, subscription: to }))
    const stored = this.storedAt === null ? {} : { storedAt: this.storedAt }
    await this.store.commit({
      account: about.account ?? 'acme',
      records: [],
      changes: [],
      dates: [],
      events,
      deliveries,
      ...stored,
    })
  }

  deliverer(options: DelivererOptions = {}): Deliverer {
    const { store = this.store, retryMs = [5 * SECOND, 300 * SECOND], allowNetworks = ['127.0.0.0/8'] } = options
    const write = (line: string): void => void this.log.push(line)
    const deliverer = createDeliverer({
      store,
      clock: this.clock,
      log: createLogger({ level: 'debug', pretty: false, colour: false, secrets: () => [], write }),
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => this.#current(),
      settings: () => ({ allowNetworks, retryMs }),
      version: '9.9.9',
    })
    onTestFinished(async () => await deliverer[Symbol.asyncDispose]())
    return deliverer
  }

  /** The same list until the subscription is replaced, as a reload gives another. */
  #current(): readonly Subscription[] {
    if (this.#list[0] !== this.subscription) this.#list = [this.subscription, ...this.others]
    return this.#list
  }

  /** Sends what is due, or once each of these. */
  async drain({ only, ...options }: DelivererOptions & { readonly only?: readonly string[] } = {}): Promise<void> {
    await this.deliverer(options).drain(new AbortController().signal, only)
  }

  /** A daemon until the end of the test, or until it is stopped. */
  running(options?: DelivererOptions): { readonly stop: () => Promise<void> } {
    const stopping = new AbortController()
    const ended = this.deliverer(options).run(stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await ended
    }
    onTestFinished(stop)
    return { stop }
  }

  /** Oldest first. */
  async rows(): Promise<readonly Delivery[]> {
    return (await deliveriesOf(this.store, { limit: 10_000 })).toReversed()
  }

  /** How many rows there are of each state. */
  async states(): Promise<Readonly<Record<string, number>>> {
    const groups = Map.groupBy(await this.rows(), ({ state }) => state)
    return Object.fromEntries([...groups].map(([state, rows]) => [state, rows.length]))
  }

  /** The first text of every message so far, each of which Slack takes. */
  get headlines(): readonly string[] {
    return this.slack.requests.map(headlineOf)
  }
}

export interface DelivererOptions {
  readonly store?: DeliveryStore
  readonly retryMs?: readonly number[]
  readonly allowNetworks?: readonly string[]
}

function headlineOf({ body }: ReceivedRequest): string {
  return shownTexts(body)[0] ?? ''
}
