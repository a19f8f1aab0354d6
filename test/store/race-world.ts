import { expect } from 'vitest'
import { ShipbellError } from '../../src/errors.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { ClaimedDelivery, ClaimLimit } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { attempt, batch, sampleEvent, sampleState, success, T, write } from './samples.ts'

export const RACES = [
  'ring',
  'claim',
  'deliver',
  'fail',
  'exhaust',
  'cut',
  'gone',
  'gather',
  'retry',
  'disable',
  'enable',
  'drop',
  'sync',
  'slice',
  'edit',
  'die',
  'recover',
] as const

/** One thing that a worker does; what is picked of several says `pick`. */
export interface Race {
  readonly kind: (typeof RACES)[number]
  readonly by: 0 | 1
  readonly pick: number
}

/** A row that a worker has claimed, and has not settled. */
interface Claimed {
  readonly owner: string
  readonly row: ClaimedDelivery
  readonly until: number
}

const LEASE_MS = 60_000
const PER_MS = 1_000
const OWNERS = ['one', 'two'] as const
/** What commands change: none of the other subscriptions is ever disabled. */
const CHANGED = 'lanes'

const NO_REST = { rate: null, address: null } as const
export const LIMITS: ReadonlyMap<string, ClaimLimit> = new Map<string, ClaimLimit>([
  ['lanes', { concurrency: 3, ...NO_REST }],
  ['plain', { concurrency: 2, ...NO_REST }],
  ['paced', { concurrency: 9, rate: { requests: 3, perMs: PER_MS }, address: null }],
])
const NAMES = ['lanes', 'plain', 'paced', 'mail'] as const

/** Two workers with a store each, over one database. What they do in one round, they do at once. */
export class RaceWorld {
  now = T
  readonly #stores: readonly [Store, Store]
  readonly #held = new Map<string, Claimed>()
  /** When attempts of `paced` ended. */
  readonly #ended: number[] = []
  #events = 0
  #version: number | null = null
  #edits = 0
  /** Of this round. */
  readonly #taken = new Set<string>()
  readonly #released = new Set<string>()
  #wins = 0
  #tries = 0
  /** What each worker gathers. */
  readonly #gathering: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]

  constructor(stores: readonly [Store, Store]) {
    this.#stores = stores
  }

  async begin(): Promise<void> {
    await this.#sync(0, 0)
  }

  /** What both do at once, with the rules that can be judged by what they were told. */
  async round(races: readonly Race[]): Promise<void> {
    this.now += 211
    this.#taken.clear()
    this.#released.clear()
    ;[this.#wins, this.#tries] = [0, 0]
    // Whether a claim was freed that is made at the same time, nobody could tell.
    const isRecovered = races.some(({ kind }) => kind === 'recover')
    const done = races.filter(({ kind }) => kind !== 'die' || !isRecovered)
    await Promise.all(done.map(async (race) => await this.#act(race)))
    if (this.#tries > 0) expect(this.#wins).toBe(1)
    if (this.#wins > 0) this.#version = (this.#version ?? -1) + 1
    this.#expectPace()
  }

  /** The subscriptions of which a worker has rows, by the owners. */
  ownersOf(subscription: string): ReadonlySet<string> {
    const held = [...this.#held.values()].filter(
      ({ row, until }) => row.subscription === subscription && until > this.now,
    )
    return new Set(held.map(({ owner }) => owner))
  }

  get events(): number {
    return this.#events + this.#edits
  }

  async #act({ kind, by, pick }: Race): Promise<void> {
    const store = this.#stores[by]
    switch (kind) {
      case 'ring':
        return await this.#ring(store, 1 + (pick % 4))
      case 'claim':
        return await this.#claim(store, OWNERS[by], pick)
      case 'gather':
        return await this.#gatherInTurn(by)
      case 'deliver':
        return await this.#settle(by, pick, { kind: 'delivered' })
      case 'fail':
        return await this.#settle(by, pick, { kind: 'retry', at: this.now + (pick % 500) })
      case 'exhaust':
        return await this.#settle(by, pick, { kind: 'exhausted' })
      case 'cut':
        return await this.#settle(by, pick, { kind: 'released' })
      case 'gone':
        return await this.#settle(by, pick, { kind: 'disable', reason: 'gone' })
      case 'die':
        return await this.#claim(store, 'dead', pick)
      case 'recover':
        return await this.#recover(store)
      case 'edit':
        return await this.#edit(store, by)
      case 'retry':
      case 'disable':
      case 'enable':
      case 'drop':
      case 'sync':
      case 'slice':
        return await this.#command(kind, by, pick)
      default:
        return kind satisfies never
    }
  }

  async #command(kind: Race['kind'], by: 0 | 1, pick: number): Promise<void> {
    const [store, at] = [this.#stores[by], this.now]
    if (kind === 'retry') {
      const rows = await store.deliveryPage({ subscription: CHANGED, limit: 50 })
      const row = rows.items[pick % Math.max(1, rows.items.length)]
      if (row !== undefined) await store.retry([row.id], { at, delivered: true })
    }
    if (kind === 'disable') await store.disable(CHANGED, { reason: 'maintenance', at: at })
    if (kind === 'enable' || kind === 'drop') await store.enable(CHANGED, { at, discard: kind === 'drop' })
    if (kind === 'sync') await this.#sync(by, pick)
    if (kind === 'slice') await store.settleRows(at)
  }

  /** Lanes are put in line while they are sent, and the other way round. */
  async #sync(by: 0 | 1, pick: number): Promise<void> {
    const others = NAMES.filter((name) => name !== CHANGED).map((name) => ({ name, enabled: true }))
    const changed = { name: CHANGED, enabled: pick % 5 !== 4, order: 'subject' } as const
    await this.#stores[by].syncSubscriptions([changed, ...others], this.now)
  }

  async #ring(store: Store, amount: number): Promise<void> {
    const first = this.#events
    this.#events += amount
    const events = Array.from({ length: amount }, (_, n) =>
      sampleEvent(`evt_${first + n}`, {
        subject: { resource: 'shipment', id: 'abc'.charAt((first + n) % 3), version: 1, previousEventId: null },
      }),
    )
    const deliveries = events.flatMap(({ id }) => NAMES.map((subscription) => ({ eventId: id, subscription })))
    await store.commit(batch({ events, deliveries }))
  }

  /** A page that both have read: the first to commit wins, the other one is told. */
  async #edit(store: Store, by: 0 | 1): Promise<void> {
    this.#tries += 1
    const version = (this.#version ?? -1) + 1
    const event = sampleEvent(`edit_${version}_${by}_${this.#tries}`)
    const state = sampleState('SHP-1', { version, lastEventId: event.id })
    try {
      await store.commit(batch({ records: [write(state, { expectedVersion: this.#version })], events: [event] }))
      this.#wins += 1
      this.#edits += 1
    } catch (error) {
      expect(error).toBeInstanceOf(ShipbellError)
      expect(error).toMatchObject({ code: 'store_conflict' })
    }
  }

  async #claim(store: Store, owner: string, pick: number): Promise<void> {
    const slots = new Map([...LIMITS.keys()].map((name) => [name, 1 + (pick % 4)]))
    this.#took(owner, await store.claim({ owner, now: this.now, leaseMs: LEASE_MS, slots, limits: LIMITS }))
  }

  /** A worker looks and claims in one loop: it never gathers twice at once. */
  async #gatherInTurn(by: 0 | 1): Promise<void> {
    const turn = this.#gathering[by].then(async () => await this.#gather(this.#stores[by], OWNERS[by]))
    this.#gathering[by] = turn.catch(() => undefined)
    await turn
  }

  async #gather(store: Store, owner: string): Promise<void> {
    const most = new Map([['mail', 100]])
    const shown = await store.waiting({ owner, now: this.now, most })
    const only = shown.map(({ id }) => id)
    const limits = new Map([['mail', { concurrency: 1, ...NO_REST, attempts: 1 }]])
    const slots = new Map([['mail', only.length]])
    const rows = await store.claim({ owner, now: this.now, leaseMs: LEASE_MS, slots, only, limits })
    // All of what it was shown, or nothing.
    expect([0, only.length]).toContain(rows.length)
    this.#took(owner, rows)
  }

  #took(owner: string, rows: readonly ClaimedDelivery[]): void {
    for (const row of rows) {
      expect(this.#taken.has(row.id)).toBe(false)
      const before = this.#held.get(row.id)
      expect(before === undefined || before.until <= this.now || this.#released.has(row.id)).toBe(true)
      this.#taken.add(row.id)
      this.#held.set(row.id, { owner, row, until: this.now + LEASE_MS })
    }
  }

  async #settle(by: 0 | 1, pick: number, result: AttemptResult['result']): Promise<void> {
    const own = [...this.#held.values()].filter(
      ({ owner, row, until }) => owner === OWNERS[by] && until > this.now && !this.#taken.has(row.id),
    )
    const chosen = own
      .filter(({ row }) => row.subscription === CHANGED || result.kind !== 'disable')
      .slice(0, 1 + (pick % 3))
    for (const { row } of chosen) {
      this.#held.delete(row.id)
      if (row.subscription === 'paced') this.#ended.push(this.now)
    }
    const made = result.kind === 'released' ? null : result.kind === 'delivered' ? success() : attempt()
    const results = chosen.map(({ row }) => ({ id: row.id, attempt: made, endedAt: this.now, result }))
    await this.#stores[by].settle(OWNERS[by], results)
  }

  async #recover(store: Store): Promise<void> {
    const dead = [...this.#held.values()].filter(({ owner, row }) => owner === 'dead' && !this.#released.has(row.id))
    for (const { row } of dead) {
      this.#released.add(row.id)
      if (row.subscription === 'paced') this.#ended.push(this.now)
    }
    await store.recoverClaims({ alive: OWNERS, now: this.now })
    for (const { owner, row } of dead) if (this.#held.get(row.id)?.owner === owner) this.#held.delete(row.id)
  }

  /** In no window more attempts than the rate allows, whoever made them. */
  #expectPace(): void {
    const underWay = [...this.#held.values()].filter(
      ({ row, until }) => row.subscription === 'paced' && until > this.now,
    )
    const recent = this.#ended.filter((at) => at > this.now - PER_MS)
    expect(underWay.length + recent.length).toBeLessThanOrEqual(LIMITS.get('paced')?.rate?.requests ?? 0)
  }

  /** Whatever is claimed comes back, everything is released, and all of it is delivered. */
  async end(): Promise<void> {
    const [store] = this.#stores
    this.now += 2 * LEASE_MS
    await store.enable(CHANGED, { at: this.now, discard: false })
    await this.#sync(0, 0)
    while (!(await store.settleRows(this.now))) continue
    await store.recoverClaims()
    const slots = new Map(NAMES.map((name) => [name, 1_000]))
    for (;;) {
      const rows = await store.claim({ owner: 'last', now: this.now, leaseMs: LEASE_MS, slots })
      if (rows.length === 0) break
      const results = rows.map(({ id }) => ({ id, attempt: success(), result: { kind: 'delivered' } as const }))
      await store.settle('last', results)
    }
  }
}
