import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '../../src/model/delivery.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { ClaimedDelivery } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { runs } from '../support/runs.ts'

const MINUTE = 60_000

async function opened(open: OpenStore): Promise<Store> {
  const store = await open()
  await configure(store, {})
  return store
}

function configure(
  store: Store,
  { order = 'subject', enabled = true }: { order?: 'none' | 'subject'; enabled?: boolean },
) {
  return store.syncSubscriptions([{ name: 'erp', enabled, order }], T)
}

/** Events named `<subject><number>`, in the order given. */
function about(store: Store, ...names: readonly string[]): Promise<void> {
  const events = names.map((name) =>
    sampleEvent(name, { subject: { resource: 'shipment', id: name.charAt(0), version: 1, previousEventId: null } }),
  )
  return ring(store, events, ['erp'])
}

async function claim(store: Store, { now = T, slots = 99, owner = 'one' } = {}): Promise<readonly string[]> {
  return (await claimRows(store, { now, slots, owner })).map(({ event }) => event.id)
}

function claimRows(store: Store, { now = T, slots = 99, owner = 'one' } = {}): Promise<readonly ClaimedDelivery[]> {
  return store.claim({ owner, now, leaseMs: MINUTE, slots: new Map([['erp', slots]]) })
}

async function rowOf(store: Store, eventId: string): Promise<Delivery> {
  const [row] = await deliveriesOf(store, { id: eventId, limit: 1 })
  if (row === undefined) throw new Error(`no row of ${eventId}`)
  return row
}

async function settle(store: Store, eventId: string, result: AttemptResult['result']): Promise<void> {
  const made = result.kind === 'released' ? null : result.kind === 'delivered' ? success() : attempt()
  await store.settle('one', [{ id: (await rowOf(store, eventId)).id, attempt: made, result }])
}

async function retry(store: Store, eventId: string): Promise<void> {
  await store.retry([(await rowOf(store, eventId)).id], { at: T, delivered: true })
}

const DELIVERED = { kind: 'delivered' } as const
const EXHAUSTED = { kind: 'exhausted' } as const
const RETRY = { kind: 'retry', at: T + MINUTE } as const

export function describeOrder(open: OpenStore): void {
  describe('with `order: subject`', () => {
    test('events of a subject come one after another, and other subjects overtake', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2', 'b1', 'a3', 'b2')
      expect(await claim(store)).toEqual(['a1', 'b1'])
      expect(await claim(store)).toEqual([])
      await settle(store, 'b1', DELIVERED)
      expect(await claim(store)).toEqual(['b2'])
      await settle(store, 'a1', DELIVERED)
      expect(await claim(store)).toEqual(['a2'])
      await settle(store, 'a2', EXHAUSTED)
      expect(await claim(store)).toEqual(['a3'])
    })

    test('subjects of the same id are told apart by resource and account', async () => {
      await using store = await opened(open)
      const subject = { resource: 'tracking', id: 'a', version: 1, previousEventId: null } as const
      await about(store, 'a1')
      await ring(store, [sampleEvent('t1', { subject })], ['erp'])
      await ring(store, [sampleEvent('o1', { account: 'other', subject })], ['erp'])
      expect(await claim(store)).toEqual(['a1', 't1', 'o1'])
    })

    test('later events wait while an older one waits for its retry, and nothing is due before that', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2')
      await claim(store)
      await settle(store, 'a1', RETRY)
      await about(store, 'a3')
      expect(await claim(store)).toEqual([])
      expect(await store.nextDueAt()).toBe(T + MINUTE)
      expect(await claim(store, { now: T + MINUTE })).toEqual(['a1'])
    })

    test('an attempt cut by shutdown keeps its place', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2')
      await claim(store)
      await settle(store, 'a1', { kind: 'released' })
      expect(await claim(store)).toEqual(['a1'])
    })

    test('a claim that ran out or whose process died keeps its place', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2')
      await claim(store, { owner: 'dead' })
      expect(await claim(store, { owner: 'two', now: T + MINUTE })).toEqual(['a1'])
      await store.recoverClaims()
      expect(await claim(store)).toEqual(['a1'])
    })

    test('an older event that is retried by command goes first, but never beside the one under way', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2', 'a3')
      await claim(store)
      await settle(store, 'a1', EXHAUSTED)
      expect(await claim(store)).toEqual(['a2'])
      await retry(store, 'a1')
      expect(await claim(store)).toEqual([])
      await settle(store, 'a2', RETRY)
      expect(await claim(store, { now: T + MINUTE })).toEqual(['a1'])
      await settle(store, 'a1', DELIVERED)
      expect(await claim(store, { now: T + MINUTE })).toEqual(['a2'])
    })

    test('an older event that is retried takes over from one whose process died', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2')
      await claim(store)
      await settle(store, 'a1', EXHAUSTED)
      await claim(store)
      await retry(store, 'a1')
      await store.recoverClaims()
      expect(await claim(store)).toEqual(['a1'])
    })

    test('a delivered event that is sent again goes before what is pending', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2', 'a3')
      await claim(store)
      await settle(store, 'a1', DELIVERED)
      await retry(store, 'a1')
      expect(await claim(store)).toEqual(['a1'])
      await settle(store, 'a1', DELIVERED)
      expect(await claim(store)).toEqual(['a2'])
    })

    test('held rows keep later ones waiting, and are released in order', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2', 'b1')
      await claim(store, { slots: 1 })
      await store.disable('erp', { reason: 'maintenance', at: T })
      await about(store, 'a3')
      await settle(store, 'a1', RETRY)
      await store.enable('erp', { at: T, discard: false })
      expect(await claim(store)).toEqual(['a1', 'b1'])
      await settle(store, 'a1', DELIVERED)
      expect(await claim(store)).toEqual(['a2'])
      await settle(store, 'a2', DELIVERED)
      expect(await claim(store)).toEqual(['a3'])
    })

    test('discarded rows let later ones go, once none of them is under way', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2', 'b1', 'b2')
      await claim(store, { slots: 1 })
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: true })
      await about(store, 'a3', 'b3')
      expect(await claim(store)).toEqual(['b3'])
      await settle(store, 'a1', RETRY)
      expect(await claim(store)).toEqual(['a3'])
    })

    test('a 410 holds the order too', async () => {
      await using store = await opened(open)
      await about(store, 'a1', 'a2')
      await claim(store)
      await settle(store, 'a1', { kind: 'disable', reason: 'gone' })
      await store.enable('erp', { at: T, discard: false })
      expect(await claim(store)).toEqual(['a1'])
    })

    test('order that is turned on holds for what is there, and off lets it go', async () => {
      await using store = await open()
      await configure(store, { order: 'none' })
      await about(store, 'a1', 'a2', 'a3', 'b1')
      expect(await claim(store, { slots: 2 })).toEqual(['a1', 'a2'])
      await configure(store, {})
      expect(await claim(store)).toEqual(['b1'])
      await settle(store, 'a1', RETRY)
      expect(await claim(store, { now: T + MINUTE - 1 })).toEqual([])
      await settle(store, 'a2', DELIVERED)
      expect(await claim(store, { now: T + MINUTE - 1 })).toEqual([])
      await configure(store, { order: 'none' })
      expect(await claim(store, { now: T + MINUTE - 1 })).toEqual(['a3'])
    })

    test('order that is turned on waits for a discarded row that is under way', async () => {
      await using store = await open()
      await configure(store, { order: 'none' })
      await about(store, 'a1')
      await claim(store)
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: true })
      await configure(store, {})
      await about(store, 'a2')
      expect(await claim(store)).toEqual([])
      await settle(store, 'a1', RETRY)
      expect(await claim(store)).toEqual(['a2'])
    })

    test('whatever happens, a subject has one event under way and its oldest first, and none is stuck', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(9), fc.nat(2), fc.nat(99)), { minLength: 20, maxLength: 50 }),
          async (steps) => {
            await using store = await opened(open)
            const life = new Life(store)
            for (const [what, subject, pick] of steps) await life.step(what, { subject, pick })
            await life.drain()
          },
        ),
        runs(2),
      )
    })
  })
}

/** What can happen to the rows of three subjects, with the rules of order checked at every claim. */
class Life {
  readonly #store: Store
  readonly #underWay = new Map<string, string>()
  #events = 0
  #now = T

  constructor(store: Store) {
    this.#store = store
  }

  /** Something happens, and whatever may then be claimed is claimed. */
  async step(what: number, { subject, pick }: { subject: number; pick: number }): Promise<void> {
    await this.#happen(what, { subject, pick })
    await this.#claim(1 + (pick % 4))
  }

  async #happen(what: number, { subject, pick }: { subject: number; pick: number }): Promise<void> {
    const store = this.#store
    switch (what) {
      case 0:
        return this.#ring('abc'.charAt(subject), 1 + (pick % 3))
      case 1:
        return this.#settle(pick, DELIVERED)
      case 2:
        return this.#settle(pick, { kind: 'retry', at: this.#now + pick })
      case 3:
      case 4:
        return this.#settle(pick, EXHAUSTED)
      case 5:
        return this.#settle(pick, { kind: 'released' })
      case 6:
        return this.#retry(pick)
      case 7:
        await store.enable('erp', { at: this.#now, discard: pick % 2 === 0 })
        return
      case 8:
        return store.disable('erp', { reason: 'maintenance', at: this.#now })
      default:
        this.#underWay.clear()
        await store.recoverClaims()
    }
  }

  #ring(subject: string, amount: number): Promise<void> {
    const names = Array.from({ length: amount }, (_, n) => `${subject}${this.#events + n}`)
    this.#events += amount
    return about(this.#store, ...names)
  }

  async #retry(pick: number): Promise<void> {
    const rows = await deliveriesOf(this.#store, { limit: 999 })
    const row = rows[pick % Math.max(1, rows.length)]
    if (row !== undefined) await this.#store.retry([row.id], { at: this.#now, delivered: true })
  }

  /** Everything is released and delivered: the claims come to an end, and in order. */
  async drain(): Promise<void> {
    await this.#store.enable('erp', { at: this.#now, discard: false })
    this.#now += 999
    const last = new Map<string, number>()
    while (this.#underWay.size > 0) await this.#settle(0, { kind: 'released' })
    for (;;) {
      await this.#claim(9)
      for (const [subject, event] of this.#underWay) {
        const number = Number(event.slice(1))
        expect(number).toBeGreaterThan(last.get(subject) ?? -1)
        last.set(subject, number)
      }
      if (this.#underWay.size === 0) break
      while (this.#underWay.size > 0) await this.#settle(0, DELIVERED)
    }
    const open = await deliveriesOf(this.#store, { states: ['pending', 'held'], limit: 99 })
    expect(open).toEqual([])
  }

  async #claim(slots: number): Promise<void> {
    this.#now += 7
    for (const event of await claim(this.#store, { now: this.#now, slots })) {
      const subject = event.charAt(0)
      expect(this.#underWay.get(subject)).toBeUndefined()
      const open = await deliveriesOf(this.#store, { states: ['pending', 'held'], limit: 999 })
      const numbers = open.filter(({ eventId }) => eventId.startsWith(subject)).map(({ eventId }) => eventId.slice(1))
      expect(Number(event.slice(1))).toBe(Math.min(...numbers.map(Number)))
      this.#underWay.set(subject, event)
    }
  }

  async #settle(pick: number, result: AttemptResult['result']): Promise<void> {
    const subjects = [...this.#underWay.keys()]
    const subject = subjects[pick % Math.max(1, subjects.length)]
    const event = subject === undefined ? undefined : this.#underWay.get(subject)
    if (subject === undefined || event === undefined) return
    await settle(this.#store, event, result)
    this.#underWay.delete(subject)
  }
}
