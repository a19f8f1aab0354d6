import { assert, asyncProperty, nat, pre } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { createLogger } from '../../src/log.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { ChurnWatch } from '../../src/poll/ingest/churn-watch.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE, AccountClient } from '../../src/poll/requests/account-client.ts'
import { ReadingPlan } from '../../src/poll/schedule/reading-plan.ts'
import { tenantOf } from '../../src/poll/requests/tenant.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import { ListReader } from '../../src/poll/lists/list-reader.ts'
import { randomOf, type Random } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { StoreFile } from '../support/store-file.ts'
import { FakePlatform } from '../support/fake-platform.ts'
import { idOf, shipment, WATCH } from './polling.ts'
import { eventsOf } from '../support/log-rows.ts'
import { runs } from '../support/runs.ts'

const random = (): number => 0
const FIELDS = interfaceFields()

/** Nobody else waits on it, so a sleeper need not. */
class LeapingClock extends FakeClock {
  override async sleep(ms: number): Promise<void> {
    this.jump(this.now() + Math.max(ms, 0))
  }
}

/** Fewer than may go in one pass, so that nothing is held. */
const MOST_GONE = 4
const HOT_PASSES = 4
const QUIET_PASSES = 3

/**
 * A list ordered by its last update, read page by page while rows come, go, return and jump to its front; requests fail,
 * commits die with their process, and in some worlds no fetch by id ever works.
 */
class MovingWorld {
  readonly account: string
  readonly #random: Random
  readonly #clock = new LeapingClock()
  readonly #platform = new FakePlatform(this.#clock)
  readonly #store: Store
  /** The ids that existed when the answer of an instant was made. */
  readonly #alive = new Map<number, ReadonlySet<string>>()
  readonly #hasFetch: boolean
  readonly #gone: string[] = []
  #poller: ListReader
  #hot = false
  #born = 0

  constructor(seed: number, store: Store) {
    this.account = `world-${seed}`
    this.#random = randomOf('moving', seed)
    this.#store = store
    this.#hasFetch = this.#random.chance(0.75)
    this.#platform.mostRows = this.#random.pick([3, 4, 100])
    const count = this.#random.pick([7, 9, 12])
    for (let index = 0; index < count; index += 1) this.#bear()
    this.#platform.hides = () => !this.#hasFetch
    this.#platform.trouble = (what) => this.#troubleOf(what)
    this.#platform.afterEach = () => this.#turn()
    this.#poller = this.#start()
  }

  async run(): Promise<void> {
    await this.#pass()
    this.#hot = true
    for (let pass = 0; pass < HOT_PASSES; pass += 1) {
      if (this.#random.chance(0.4)) this.#vanish()
      if (this.#random.chance(0.2)) this.#return()
      if (this.#random.chance(0.5)) this.#poller = this.#start()
      await this.#pass()
    }
    this.#hot = false
    for (let pass = 0; pass < QUIET_PASSES; pass += 1) await this.#pass()
  }

  /** Removals of what was there when the proof was given. */
  falselyRemoved(events: readonly ShipbellEvent[]): readonly string[] {
    return events
      .filter(
        ({ type, timestamp, subject }) => type === 'shipment.removed' && this.#alive.get(timestamp)?.has(subject.id),
      )
      .map(({ subject }) => subject.id)
  }

  get existing(): readonly string[] {
    return this.#platform.shipments.map((each) => idOf(each)).toSorted()
  }

  async #pass(): Promise<void> {
    this.#clock.jump(this.#clock.now() + 60_000)
    try {
      await this.#poller.pass(new AbortController().signal)
    } catch (error) {
      if (!String(error).includes('killed')) throw error
      this.#poller = this.#start()
    }
  }

  #troubleOf(what: string): ReturnType<FakePlatform['trouble']> {
    if (!this.#hot) return null
    if (what.includes('skip=')) return this.#random.chance(0.03) ? { kind: 'unauthorized' } : null
    return this.#random.chance(0.2) ? { kind: 'broken' } : null
  }

  /** After each answer the world moves on. */
  #turn(): void {
    this.#alive.set(this.#clock.now(), new Set(this.existing))
    this.#clock.jump(this.#clock.now() + 10)
    if (!this.#hot) return
    if (this.#random.chance(0.4)) this.#touch()
    if (this.#random.chance(0.1)) this.#bear()
    // No pass can see that rows move up behind one that goes, or that one returns to a page already read: only a fetch
    // by id tells.
    if (this.#hasFetch && this.#random.chance(0.1)) this.#vanish()
    if (this.#hasFetch && this.#random.chance(0.05)) this.#return()
  }

  #bear(): void {
    this.#born += 1
    this.#platform.shipments.unshift(shipment(`SHP-${this.#born}`))
  }

  #touch(): void {
    const chosen = this.#random.pick(this.#platform.shipments)
    const rest = this.#platform.shipments.filter((each) => each !== chosen)
    this.#platform.shipments = [{ ...chosen, name: `touched at ${this.#clock.now()}` }, ...rest]
  }

  #vanish(): void {
    if (this.#gone.length >= MOST_GONE) return
    const chosen = this.#random.pick(this.#platform.shipments)
    this.#platform.shipments = this.#platform.shipments.filter((each) => each !== chosen)
    this.#gone.push(idOf(chosen))
  }

  #return(): void {
    const id = this.#gone.shift()
    if (id !== undefined) this.#platform.shipments.unshift(shipment(id))
  }

  #start(): ListReader {
    const account: AccountSettings = {
      name: this.account,
      baseUrl: 'https://platform.example',
      apiKey: 'key',
      timeZone: 'UTC',
      budget: { requests: 10_000, perMs: 1, concurrency: 4, share: 1 },
      timeoutMs: 30_000,
      settleMs: 0,
      firstPoll: 'baseline',
      shipmentIdField: null,
      watch: { shipments: WATCH.shipments },
    }
    const store: Store = {
      ...this.#store,
      commit: async (batch) => {
        if (this.#hot && this.#random.chance(0.02)) throw new Error('killed')
        await this.#store.commit(batch)
        if (this.#hot && this.#random.chance(0.02)) throw new Error('killed')
      },
    }
    const clock = this.#clock
    const log = createLogger({
      level: 'fatal',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: () => undefined,
    })
    const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
    const tenant = tenantOf(account, committer)
    const accountClient = new AccountClient({
      tenant,
      limiter: new Limiter({ clock, random }, tenant),
      patience: ENDLESS_PATIENCE,
      observe: async () => undefined,
    })
    return new ListReader({
      account,
      watch: 'shipments',
      platform: this.#platform,
      accountClient,
      plan: new ReadingPlan({ account, committer, clock, accountClient, log }),
      committer,
      clock,
      random,
      log,
      progress: () => undefined,
      churn: new ChurnWatch({ account, watch: 'shipments', committer, log }),
      fields: FIELDS,
    })
  }
}

/** The ids that the events leave existing, and the events that do not fit what was emitted before. */
function follow(baseline: readonly string[], events: readonly ShipbellEvent[]) {
  const existing = new Set(baseline)
  const known = new Set(baseline)
  const misfits: string[] = []
  for (const { type, subject } of events) {
    const fits = {
      'shipment.created': !known.has(subject.id),
      'shipment.removed': existing.has(subject.id),
      'shipment.restored': known.has(subject.id) && !existing.has(subject.id),
      'shipment.updated': existing.has(subject.id),
    }[type as string]
    if (fits !== true) misfits.push(`${type} ${subject.id}`)
    known.add(subject.id)
    if (type === 'shipment.removed') existing.delete(subject.id)
    else existing.add(subject.id)
  }
  return { existing: [...existing].toSorted(), misfits }
}

describe('a list that moves while it is read (guarantees D6 and D7)', () => {
  let file: StoreFile
  beforeAll(() => {
    file = new StoreFile()
  })
  afterAll(async () => file[Symbol.asyncDispose]())

  test(
    'nothing that exists is removed; what is gone is removed once; what returns is restored',
    { timeout: 300_000 },
    async () => {
      const used = new Set<number>()
      await assert(
        asyncProperty(nat(), async (seed) => {
          pre(!used.has(seed))
          used.add(seed)
          const world = new MovingWorld(seed, file.store)
          const baseline = world.existing
          await world.run()
          const events = (await eventsOf(file.store, { account: world.account, limit: 10_000 }))
            .filter(({ subject }) => subject.resource === 'shipment')
            .toSorted((a, b) => a.sequence - b.sequence)
          expect(world.falselyRemoved(events)).toEqual([])
          expect(follow(baseline, events)).toEqual({ existing: world.existing, misfits: [] })
          expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
        }),
        { ...runs(14), seed: 1 },
      )
    },
  )
})
