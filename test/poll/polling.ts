import { StallWatch } from '../../src/app/stall-watch.ts'
import { createLogger, type Logger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { textField, type JsonObject } from '../../src/model/json.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { AccountPoller, type OncePass } from '../../src/poll/account-poller.ts'
import { ChurnWatch } from '../../src/poll/ingest/churn-watch.ts'
import { ENDLESS_PATIENCE, AccountClient, type Patience } from '../../src/poll/requests/account-client.ts'
import { ListReader } from '../../src/poll/lists/list-reader.ts'
import { Committer } from '../../src/poll/committer.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import { ReadingPlan } from '../../src/poll/schedule/reading-plan.ts'
import { tenantOf } from '../../src/poll/requests/tenant.ts'
import type { AccountContext, BaselineProgress } from '../../src/poll/account-context.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { FakePlatform } from '../support/fake-platform.ts'
import { StoreFile } from '../support/store-file.ts'
import { subscription } from '../support/subscription.ts'
import { eventsOf } from '../support/log-rows.ts'

const EVERYTHING = subscription('everything', { events: ['*', 'account.*'] })

const FIELDS = interfaceFields()

const EVERY = { everyMs: 60_000, ignore: [] } as const

export const WATCH = {
  shipments: { ...EVERY, milestoneGraceMs: 86_400_000 },
  tracking: { ...EVERY, positions: false },
  invoices: { ...EVERY, dueSoonMs: [] },
} as const

export const WATCH_MORE = {
  documents: EVERY,
  purchase_orders: EVERY,
  locations: EVERY,
  order_preparations: { ...EVERY, references: ['OP-1'] },
} as const

/** How long the timers sleep where nobody sets a clock: it spares the empty looks of hours. */
export const NO_CLOCK_IS_SET = { longestSleepMs: 3_600_000 } as const

interface PollingOptions {
  readonly longestSleepMs?: number
  /** Another platform than the fake one. */
  readonly connect?: (clock: FakeClock) => Platform
}

/** One account polled from a fake platform into a real store, on a clock that stands still unless moved. */
export class Polling implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly platform = new FakePlatform(this.clock)
  readonly lines: Record<string, unknown>[] = []
  readonly stalls = new StallWatch({ clock: this.clock, log: this.#log() })
  readonly progress: BaselineProgress[] = []
  /** As of now: a change is a reload. */
  subscriptions: readonly Subscription[] = [EVERYTHING]
  random = (): number => 0
  startAfterMs = 0
  place: number | null = null
  readonly #longestSleepMs: number
  readonly #file = new StoreFile()
  /** What is asked in place of the fake; null: the fake is. */
  readonly #connected: Platform | null
  #settings: Partial<AccountSettings>
  /** The daemon's: it waits out everything. */
  poller: AccountPoller

  /** `longestSleepMs`: the daemon's, unless it is `NO_CLOCK_IS_SET`. */
  constructor(settings: Partial<AccountSettings> = {}, { connect, longestSleepMs = 30_000 }: PollingOptions = {}) {
    this.#settings = settings
    this.#connected = connect?.(this.clock) ?? null
    this.#longestSleepMs = longestSleepMs
    this.poller = this.#createPoller(ENDLESS_PATIENCE)
  }

  /** The store's file. */
  get file(): string {
    return this.#file.path
  }

  get store(): Store {
    return this.#file.store
  }

  /** What a new process would start with: the store is all that is left. */
  async restart(settings: Partial<AccountSettings> = this.#settings): Promise<void> {
    await this.#file.reopen()
    this.#settings = settings
    this.poller = this.#createPoller(ENDLESS_PATIENCE)
  }

  /** What the last `pass` could not read. */
  once: readonly OncePass[] = []

  /** A pass over everything as `once` makes it, then the events it rang, oldest first. */
  async pass(): Promise<readonly ShipbellEvent[]> {
    const before = new Set((await this.events()).map(({ id }) => id))
    await this.clock.advance(1_000)
    const ended = new AbortController()
    const passing = this.#createPoller({ failures: 3, waitMs: 60_000 })
      .once(new AbortController().signal)
      .finally(() => ended.abort())
    while (!ended.signal.aborted) await this.clock.advance(this.clock.nextWakeAt === null ? 0 : 1_000)
    this.once = await passing
    return (await this.events()).filter(({ id }) => !before.has(id))
  }

  /** Runs the daemon's loops for `ms` of the fake clock. */
  async run(ms: number): Promise<void> {
    const stop = new AbortController()
    const running = this.poller.run(stop.signal)
    await this.clock.advance(ms)
    stop.abort()
    await running
  }

  async types(): Promise<readonly string[]> {
    return (await this.events()).map(({ type }) => type)
  }

  async events(): Promise<readonly ShipbellEvent[]> {
    return [...(await eventsOf(this.store, { limit: 100_000 }))].sort((a, b) => a.sequence - b.sequence)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connected?.[Symbol.asyncDispose]()
    await this.#file[Symbol.asyncDispose]()
  }

  /** Of the settings as they are, apart from the daemon's own. */
  listPoller(watch: 'shipments', platform: Platform = this.platform): ListReader {
    const { account, committer, log, ...rest } = { ...this.#parts(), platform }
    const { clock } = this
    const tenant = tenantOf(account, committer)
    const accountClient = new AccountClient({
      tenant,
      limiter: new Limiter({ clock, random: () => 0 }, tenant),
      patience: { failures: 3, waitMs: 60_000 },
      observe: async () => undefined,
    })
    const plan = new ReadingPlan({ account, committer, clock, accountClient, log })
    const churn = new ChurnWatch({ account, watch, committer, log })
    return new ListReader({ ...rest, random: () => 0, account, committer, log, watch, accountClient, churn, plan })
  }

  #createPoller(patience: Patience): AccountPoller {
    const { place, startAfterMs } = this
    const longestSleepMs = this.#longestSleepMs
    return new AccountPoller({
      ...this.#parts(),
      patience,
      random: () => this.random(),
      startAfterMs,
      place,
      longestSleepMs,
    })
  }

  /** What loops of the account work with. */
  get context(): AccountContext {
    return { ...this.#parts(), random: () => this.random() }
  }

  #parts() {
    const account: AccountSettings = {
      name: 'acme',
      baseUrl: 'https://platform.example',
      apiKey: 'key',
      timeZone: 'UTC',
      budget: { requests: 10_000, perMs: 60_000, concurrency: 4, share: 1 },
      timeoutMs: 30_000,
      settleMs: 0,
      firstPoll: 'baseline',
      shipmentIdField: null,
      watch: WATCH,
      ...this.#settings,
    }
    const committer = new Committer({
      store: this.store,
      clock: this.clock,
      subscriptions: () => this.subscriptions,
      onDeliveries: () => undefined,
      progressOf: (name) => this.stalls.writesOf(name),
    })
    const log = this.#log()
    const progress = (at: BaselineProgress): number => this.progress.push(at)
    const { clock } = this
    const platform = this.#connected ?? this.platform
    return { account, platform, committer, clock, log, progress, fields: FIELDS }
  }

  #log(): Logger {
    const write = (line: string): number => this.lines.push(JSON.parse(line))
    return createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write })
  }
}

export function shipment(id: string, fields: JsonObject = {}): JsonObject {
  return { platform_shipment_id: id, name: `Shipment ${id}`, status: 'booked', ...fields }
}

export function idOf(record: JsonObject): string {
  return textField(record, 'platform_shipment_id') ?? ''
}

export function shipments(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => shipment(`SHP-${index + 1}`))
}

export function trackingOf(id: string, ...descriptions: string[]): JsonObject {
  const events = descriptions.map((description) => ({
    description,
    container_number: null,
    date: '2026-11-20T10:00:00Z',
    status: 'actual',
  }))
  const step = {
    type: 'departure',
    location: null,
    port: { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' },
    events,
  }
  return { platform_shipment_id: id, status: 'in_transit', tracking_steps: [step], ocean_coordinates: [] }
}
