import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { ClaimedDelivery } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'
import { runs } from '../support/runs.ts'

const NAMES = ['erp', 'ops', 'hub'] as const
const ACCOUNTS = ['acme', 'beta', null] as const
const LEASE_MS = 60_000

const name = fc.constantFrom(...NAMES)
const owner = fc.constantFrom('one', 'two')
const resultKind = fc.constantFrom('delivered', 'retry', 'exhausted', 'released', 'disable', 'lost')

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      events: fc.array(
        fc.record({ n: fc.nat(40), account: fc.constantFrom(...ACCOUNTS), to: fc.subarray([...NAMES]) }),
        { maxLength: 4 },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim' as const), owner, slots: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('settle' as const), owner, pick: fc.nat(), kind: resultKind }) },
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(2 * LEASE_MS) }),
  fc.record({ do: fc.constant('configure' as const), names: fc.subarray([...NAMES]), enabled: fc.boolean() }),
  fc.record({ do: fc.constant('disable' as const), name }),
  fc.record({ do: fc.constant('enable' as const), name, discard: fc.boolean() }),
  fc.record({ do: fc.constant('discard' as const), name }),
  fc.record({ do: fc.constant('retry' as const), name, delivered: fc.boolean() }),
  fc.record({ do: fc.constant('recover' as const) }),
  fc.record({ do: fc.constant('backfill' as const), n: fc.nat(40), name }),
  fc.record({ do: fc.constant('expire' as const), age: fc.nat(2 * LEASE_MS) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** What a run has asked of the store, and what it must therefore hold. */
class Run {
  readonly store: Store
  now = T
  /** Account, and place in it, of each event by id. */
  readonly events = new Map<string, { readonly account: string | null; readonly sequence: number }>()
  readonly last = new Map<string | null, number>()
  /** Every (event, subscription) pair that was asked for. */
  readonly pairs = new Set<string>()
  claims: { readonly owner: string; readonly row: ClaimedDelivery; readonly until: number }[] = []

  constructor(store: Store) {
    this.store = store
  }

  async take(each: Step): Promise<void> {
    switch (each.do) {
      case 'commit':
        return this.#commit(each.events)
      case 'claim':
        return this.#claim(each.owner, each.slots)
      case 'settle':
        return this.#settle(each.owner, each.pick, each.kind)
      case 'wait':
        this.now += each.ms
        return
      case 'configure':
        return this.store.syncSubscriptions(
          each.names.map((name) => ({ name, enabled: each.enabled })),
          this.now,
        )
      case 'disable':
        return this.store.disable(each.name, { reason: 'a command', at: this.now })
      case 'enable':
        await this.store.enable(each.name, { at: this.now, discard: each.discard })
        return
      case 'discard':
        await this.store.discard(each.name, this.now)
        return
      case 'retry':
        return this.#retry(each.name, each.delivered)
      case 'recover':
        await this.store.recoverClaims()
        this.claims = []
        return
      case 'backfill':
        return this.#backfill(`evt_${each.n}`, each.name)
      case 'expire':
        return this.#expire(this.now - each.age)
      default:
        return each satisfies never
    }
  }

  async #commit(asked: readonly { n: number; account: string | null; to: readonly string[] }[]): Promise<void> {
    const events = []
    const deliveries = []
    for (const { n, account, to } of asked) {
      const id = `evt_${n}`
      events.push(sampleEvent(id, { account, timestamp: this.now }))
      deliveries.push(...to.map((subscription) => ({ eventId: id, subscription })))
      if (this.events.has(id)) continue
      const sequence = (this.last.get(account) ?? 0) + 1
      this.last.set(account, sequence)
      this.events.set(id, { account, sequence })
      const own = asked.filter((other) => other.n === n).flatMap((other) => other.to)
      for (const subscription of own) this.pairs.add(`${id} ${subscription}`)
    }
    await this.store.commit(batch({ events, deliveries }))
  }

  async #claim(owner: string, slots: number): Promise<void> {
    const request = { owner, now: this.now, leaseMs: LEASE_MS, slots: new Map(NAMES.map((each) => [each, slots])) }
    const rows = await this.store.claim(request)
    for (const each of NAMES) {
      const own = rows.filter(({ subscription }) => subscription === each)
      expect(own.length).toBeLessThanOrEqual(slots)
    }
    for (const row of rows) {
      const rival = this.claims.find((claim) => claim.row.id === row.id && claim.until > this.now)
      expect(rival, `${row.id} was claimed twice`).toBeUndefined()
      this.claims.push({ owner, row, until: this.now + LEASE_MS })
    }
  }

  async #settle(owner: string, pick: number, kind: AttemptResult['result']['kind'] | 'lost'): Promise<void> {
    const own = this.claims.filter((claim) => claim.owner === owner)
    const claim = own[pick % Math.max(own.length, 1)]
    if (claim === undefined || kind === 'lost') return
    // An owner that took a row again after its own lease holds it once.
    this.claims = this.claims.filter((other) => other.owner !== owner || other.row.id !== claim.row.id)
    const made = kind === 'delivered' ? success({ at: this.now }) : attempt({ at: this.now })
    const result: AttemptResult['result'] =
      kind === 'retry'
        ? { kind, at: this.now + 5_000 }
        : kind === 'disable'
          ? { kind, reason: 'It answered 410.' }
          : { kind }
    await this.store.settle(owner, [{ id: claim.row.id, attempt: kind === 'released' ? null : made, result }])
  }

  async #retry(subscription: string, delivered: boolean): Promise<void> {
    const rows = await deliveriesOf(this.store, { subscription, limit: 3 })
    await this.store.retry(
      rows.map(({ id }) => id),
      { at: this.now, delivered },
    )
  }

  async #backfill(eventId: string, subscription: string): Promise<void> {
    const event = await this.store.event(eventId)
    await this.store.backfill({ deliveries: [{ eventId, subscription }], at: this.now })
    if (event !== null && event.expiredAt === null) this.pairs.add(`${eventId} ${subscription}`)
  }

  async #expire(before: number): Promise<void> {
    const { end } = await this.store.expirePayloads({ before, now: this.now, after: null, limit: 10_000 })
    expect(end).toBeNull()
  }

  async check(): Promise<void> {
    const rows = await deliveriesOf(this.store, { limit: 10_000 })
    expect(rows.map(({ eventId, subscription }) => `${eventId} ${subscription}`).sort()).toEqual([...this.pairs].sort())
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)

    const events = await eventsOf(this.store, { limit: 10_000 })
    const places = new Map(events.map(({ id, account, sequence }) => [id, { account, sequence }]))
    expect(places).toEqual(this.events)

    for (const endpoint of await this.store.endpoints()) {
      const own = rows.filter(({ subscription }) => subscription === endpoint.subscription)
      for (const [state, amount] of Object.entries(endpoint.counts)) {
        expect(own.filter((row) => row.state === state)).toHaveLength(amount)
      }
      const isOpen = endpoint.configured && endpoint.enabled && endpoint.disabled === null
      expect(isOpen ? endpoint.counts.held : endpoint.counts.pending).toBe(0)
    }
    for (const { state, nextAttemptAt } of rows) expect(nextAttemptAt === null).toBe(state !== 'pending')
    for (const { state, payloadExpiredAt } of rows) {
      if (state === 'pending' || state === 'held') expect(payloadExpiredAt).toBeNull()
    }
    for (const { object, expiredAt } of events) expect(object === null).toBe(expiredAt !== null)
  }

  /** Whatever happened, once every endpoint is open each row that has not ended can be claimed. */
  async drain(): Promise<void> {
    await this.store.syncSubscriptions(
      NAMES.map((each) => ({ name: each, enabled: true })),
      this.now,
    )
    for (const each of NAMES) await this.store.enable(each, { at: this.now, discard: false })
    const pending = await deliveriesOf(this.store, { states: ['pending'], limit: 10_000 })
    const slots = new Map(NAMES.map((each) => [each, 10_000]))
    const rows = await this.store.claim({ owner: 'last', now: this.now + 2 * LEASE_MS, leaseMs: LEASE_MS, slots })
    expect(rows.map(({ id }) => id).sort()).toEqual(pending.map(({ id }) => id).sort())
  }
}

export function describeLedger(open: OpenStore): void {
  test('whatever happens, every (event, subscription) pair has one row in one state and no number is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async (steps) => {
        await using store = await open()
        const run = new Run(store)
        await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
        for (const each of steps) await run.take(each)
        await run.check()
        await run.drain()
      }),
      runs(5),
    )
  })
}
