import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { assertHeld, openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import type { Lease, NewWorker, SharedStore, TakenLease, Unit, WorkerStore } from '../../src/store/ports/worker-port.ts'
import { attempt, ring, sampleEvent, T } from './samples.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const TTL_MS = 60_000
const EXPIRED = 0
const COUNT = new Query<{ written: number }>('SELECT count(*) AS written FROM rests')
const WAITING = new Query(`
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
const WRITE = new Query('INSERT INTO rests VALUES (:address, 0)')

function worker(facts: Partial<NewWorker> = {}): NewWorker {
  return {
    id: randomUUID(),
    host: 'one',
    pid: 4711,
    command: 'run',
    version: '1.0.0',
    port: null,
    config: 'aaaa',
    loadedAt: null,
    settings: { erp: 'bbbb' },
    ...facts,
  }
}

function units(...names: readonly string[]): readonly Unit[] {
  return names.map((unit) => ({ unit, accounts: [`account of ${unit}`] }))
}

/** Two processes on one database, and a connection of nobody's to look with. */
let stores: readonly SharedStore[]
let one: WorkerStore
let other: WorkerStore
let db: Database
let url: string

beforeEach(async () => {
  const databases = await postgresDatabases()
  url = await databases.take()
  stores = await Promise.all([openPostgresStore({ url, pool: 3 }), openPostgresStore({ url, pool: 3 })])
  const [first, second] = stores
  if (first === undefined || second === undefined) throw new Error('two were opened')
  one = first.workers
  other = second.workers
  db = new Database({ url, pool: 2 })
})

afterEach(async () => {
  await Promise.all([...stores, db].map(async (each) => each[Symbol.asyncDispose]()))
  await (await postgresDatabases()).giveBack(url)
})

async function joined(store: WorkerStore, facts: Partial<NewWorker> = {}, ttlMs = TTL_MS): Promise<string> {
  const joining = worker(facts)
  await store.join(joining, ttlMs)
  return joining.id
}

async function expire(id: string): Promise<void> {
  await db.write(async (tx) => tx.run(new Query('UPDATE workers SET expires_at = 0 WHERE id = :id'), { id }))
}

/** They are taken in no order. */
function byUnit(leases: readonly TakenLease[]): readonly TakenLease[] {
  return leases.toSorted((a, b) => (a.unit < b.unit ? -1 : 1))
}

async function takeOne(store: WorkerStore, id: string, unit = 'key'): Promise<Lease> {
  const [lease] = await store.take(id, { units: units(unit), most: 1 })
  if (lease === undefined) throw new Error(`${unit} is not free`)
  return lease
}

async function write(lease: Lease, meanwhile = async (): Promise<void> => undefined): Promise<void> {
  await db
    .guarded(async (tx) => assertHeld(tx, lease))
    .write(async (tx) => {
      await tx.run(WRITE, { address: randomUUID() })
      await meanwhile()
    })
}

async function written(): Promise<number | undefined> {
  return (await db.one(COUNT))?.written
}

async function untilOneWaits(): Promise<void> {
  for (;;) if ((await db.all(WAITING)).length > 0) return
}

async function bury(of: WorkerStore): Promise<readonly string[]> {
  return (await of.survey({ bury: true })).buried
}

describe('the workers of a store', () => {
  it('are known to each other while they live, the oldest first', async () => {
    const a = await joined(one, { host: 'first', port: 8484 })
    const begin = (await one.survey()).now
    // Those of one millisecond come in any order.
    while ((await one.survey()).now === begin);
    const b = await joined(other, { host: 'second', config: 'cccc' })
    const { buried, now, workers } = await one.survey({ bury: true })
    expect(workers.map(({ id }) => id)).toEqual([a, b])
    expect(workers).toMatchObject([
      { host: 'first', pid: 4711, command: 'run', version: '1.0.0', port: 8484, config: 'aaaa' },
      { host: 'second', port: null, config: 'cccc' },
    ])
    expect(buried).toEqual([])
    for (const { since } of workers) expect(Math.abs(now - since)).toBeLessThan(10_000)
    await one.leave(a)
    await one.leave(a)
    expect((await other.survey()).workers.map(({ id }) => id)).toEqual([b])
  })

  it('live for as long as they renew themselves, and never again once they expired', async () => {
    const alive = await joined(one)
    const dead = await joined(other, {}, EXPIRED)
    expect(await one.renew({ id: alive, port: 1 }, TTL_MS)).not.toBeNull()
    expect(await other.renew({ id: dead, port: 1 }, TTL_MS)).toBeNull()
    const survey = await one.survey()
    expect(survey.workers.map(({ id, port }) => ({ id, port }))).toEqual([{ id: alive, port: 1 }])
    expect(survey.buried).toEqual([])
    expect(await bury(one)).toEqual([dead])
    expect(await bury(one)).toEqual([])
    expect(await other.renew({ id: dead, port: 1 }, TTL_MS)).toBeNull()
  })

  it('do not live for ever where the clock of the database was set back', async () => {
    const stale = await joined(one)
    const ahead = `UPDATE workers SET expires_at = expires_at + 3600000`
    await db.write(async (tx) => tx.run(new Query(ahead)))
    expect((await other.survey()).workers).toEqual([])
    expect(await bury(other)).toEqual([stale])
  })

  it('are buried or renewed, never both', async () => {
    for (let round = 0; round < 30; round += 1) {
      const id = await joined(one, {}, 1 + (round % 4))
      const [renewed, buried] = await Promise.all([one.renew({ id, port: null }, TTL_MS), bury(other)])
      expect(renewed !== null && buried.includes(id)).toBe(false)
      if (renewed !== null) expect(await bury(other)).toEqual([])
      await one.leave(id)
    }
  })

  it('say when their configuration was loaded, which is not when they came back', async () => {
    const joining = worker({ loadedAt: 5 })
    expect((await one.join(joining, TTL_MS)).loadedAt).toBe(5)
    const loaded = { config: 'dddd', settings: { erp: 'eeee' } }
    const renewed = await one.renew({ id: joining.id, port: null }, TTL_MS)
    expect(renewed?.loadedAt).toBe(5)
    expect(await one.settingsOf(joining.id)).toEqual({ erp: 'bbbb' })
    const reloaded = await one.renew({ id: joining.id, port: null, loaded }, TTL_MS)
    expect(reloaded?.loadedAt).toBeGreaterThanOrEqual(renewed?.now ?? Infinity)
    expect((await other.survey()).workers).toMatchObject([{ config: 'dddd', loadedAt: reloaded?.loadedAt }])
    expect(await other.settingsOf(joining.id)).toEqual({ erp: 'eeee' })
    const anew = await one.join(worker(), TTL_MS)
    expect(anew.loadedAt).toBe(anew.now)
    expect(await one.settingsOf('nobody')).toBeNull()
  })

  it('know which configuration was put in force last', async () => {
    expect((await one.survey()).inForce).toBeNull()
    await stores[0]?.syncSubscriptions([], T, 'aaaa')
    await stores[1]?.syncSubscriptions([], T, 'bbbb')
    await stores[0]?.syncSubscriptions([], T)
    expect((await one.survey()).inForce).toBe('bbbb')
  })
})

describe('a lease', () => {
  it('is of one worker, and of the next only when it ended', async () => {
    const [a, b] = [await joined(one), await joined(other)]
    const first = byUnit(await one.take(a, { units: units('x', 'y', 'z'), most: 2 }))
    expect(first.map(({ isTakeover, unit, worker: of }) => ({ unit, of, isTakeover }))).toEqual([
      { unit: 'x', of: a, isTakeover: false },
      { unit: 'y', of: a, isTakeover: false },
    ])
    const second = await other.take(b, { units: units('x', 'y', 'z'), most: 3 })
    expect(second.map(({ unit }) => unit)).toEqual(['z'])
    expect((await one.survey()).units).toMatchObject([
      { unit: 'x', accounts: ['account of x'], worker: a },
      { unit: 'y', accounts: ['account of y'], worker: a },
      { unit: 'z', accounts: ['account of z'], worker: b },
    ])
    await one.giveBack(first.slice(0, 1))
    await one.giveBack(first.slice(0, 1))
    const [handedOver] = await other.take(b, { units: units('x', 'y'), most: 2 })
    expect(handedOver).toMatchObject({ unit: 'x', worker: b, isTakeover: false })
    expect(handedOver?.epoch).not.toBe(first[0]?.epoch)
    await one.giveBack(first.slice(0, 1))
    expect((await one.survey()).units.map(({ worker: of }) => of)).toEqual([b, a, b])
  })

  it('ends with its worker: taken over from one that expired, handed over by one that leaves', async () => {
    const [dead, alive] = [await joined(one), await joined(other)]
    await takeOne(one, dead, 'x')
    await expire(dead)
    expect(await other.take(alive, { units: units('x'), most: 1 })).toEqual([])
    await bury(other)
    expect(await other.take(alive, { units: units('x'), most: 1 })).toMatchObject([{ isTakeover: true }])
    await other.leave(alive)
    const next = await joined(one)
    expect(await one.take(next, { units: units('x'), most: 1 })).toMatchObject([{ isTakeover: false }])
  })

  it('is for nobody who has expired', async () => {
    const dead = await joined(one, {}, EXPIRED)
    expect(await one.take(dead, { units: units('x'), most: 1 })).toEqual([])
    await bury(other)
    expect(await one.take(dead, { units: units('x'), most: 1 })).toEqual([])
  })

  it('of a unit that was forgotten has another epoch', async () => {
    const a = await joined(one)
    const first = await takeOne(one, a)
    await one.forget(['key'])
    expect((await one.survey()).units).toHaveLength(1)
    await one.giveBack([first])
    await one.forget(['key'])
    expect((await one.survey()).units).toEqual([])
    expect((await takeOne(one, a)).epoch).not.toBe(first.epoch)
  })

  it('is never of two, however many ask at once', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `unit ${nth}`)
    const ids = await Promise.all([joined(one), joined(one), joined(other), joined(other)])
    const taken = await Promise.all(
      ids.map(async (id, nth) => (nth % 2 === 0 ? one : other).take(id, { units: units(...names), most: 15 })),
    )
    const all = taken.flat().map(({ unit }) => unit)
    expect(new Set(all).size).toBe(all.length)
    const rest = await one.take(ids[0], { units: units(...names), most: 40 })
    expect(all.length + rest.length).toBe(names.length)
  })
})

describe('what is written under a lease', () => {
  it('is written while the lease is held, and refused once it has ended', async () => {
    const [a, b] = [await joined(one), await joined(other)]
    const lease = await takeOne(one, a)
    await write(lease)
    await one.giveBack([lease])
    await expect(write(lease)).rejects.toMatchObject({ code: 'lease_lost' })
    await takeOne(other, b)
    await expect(write(lease)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await written()).toBe(1)
  })

  it('is refused of a worker that was buried, also if it takes the unit again', async () => {
    const dead = await joined(one)
    const lease = await takeOne(one, dead)
    await expire(dead)
    await write(lease)
    await bury(other)
    await expect(write(lease)).rejects.toMatchObject({ code: 'lease_lost' })
    await takeOne(one, await joined(one))
    await expect(write(lease)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await written()).toBe(1)
  })

  it('is there before anybody takes over', async () => {
    const [a, b] = [await joined(one), await joined(other)]
    const lease = await takeOne(one, a)
    await expire(a)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const writing = write(lease, async () => {
      begin()
      await mayEnd
    })
    await begun
    const takingOver = bury(other).then(async () => {
      await takeOne(other, b)
      return await written()
    })
    await untilOneWaits()
    end()
    await writing
    expect(await takingOver).toBe(1)
  })

  it('waits for nobody who holds another one', async () => {
    const a = await joined(one)
    const [x, y] = [await takeOne(one, a, 'x'), await takeOne(one, a, 'y')]
    await write(x, async () => one.giveBack([y]))
    await expect(write(y)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await written()).toBe(1)
  })
})

async function spent(): Promise<readonly number[] | undefined> {
  return (await stores[0]?.restraint('acme', { since: T - 1, now: T }))?.spent.map(({ amount }) => amount)
}

describe('polling under a lease', () => {
  it('writes nothing once it has ended', async () => {
    const id = await joined(one)
    const lease = await takeOne(one, id)
    const polling = one.under(lease)
    const count = { at: T, amount: 1, budgetPerHour: 60 }
    await polling.countRequests('acme', count)
    await polling.startPass('acme', 'shipment', T)
    await expire(id)
    await bury(other)
    const [again] = await other.take(await joined(other), { units: units('key'), most: 1 })
    const lost = { code: 'lease_lost' }
    await expect(polling.countRequests('acme', count)).rejects.toMatchObject(lost)
    await expect(polling.startPass('acme', 'shipment', T)).rejects.toMatchObject(lost)
    await expect(ring(polling, [sampleEvent('evt_1')], [])).rejects.toMatchObject(lost)
    expect(await spent()).toEqual([1])
    expect(await polling.listState('acme', 'shipment')).toMatchObject({ pass: 1 })
    if (again === undefined) throw new Error('it is free')
    await other.under(again).countRequests('acme', count)
    expect(await spent()).toEqual([2])
  })
})

describe('what was sent with a key', () => {
  it('is known to the second or so to whoever takes over, of the last minutes', async () => {
    const minute = Math.ceil(T / 60_000) * 60_000
    const polling = stores[0]
    if (polling === undefined) throw new Error('one was opened')
    for (const at of [minute, minute + 4_999, minute + 5_000, minute + 30_000, minute + 58_000])
      await polling.countRequests('acme', { at, amount: 1, budgetPerHour: 60 })
    const span = { since: minute, now: minute + 90_000 }
    expect((await polling.restraint('acme', span)).spent).toEqual([
      { at: minute + 10_000, amount: 2 },
      { at: minute + 15_000, amount: 1 },
      { at: minute + 40_000, amount: 1 },
      { at: minute + 60_000, amount: 1 },
    ])
    await polling.countRequests('acme', { at: minute + 15 * 60_000, amount: 1, budgetPerHour: 60 })
    expect((await polling.restraint('acme', span)).spent).toEqual([{ at: minute + 60_000, amount: 5 }])
  })
})

describe('what workers have claimed', () => {
  it('is free of those that died, and of no other', async () => {
    const [store] = stores
    if (store === undefined) throw new Error('one was opened')
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
    const [dead, alive] = [await joined(one), await joined(other)]
    const claim = async (owner: string) =>
      (await store.claim({ owner, now: T, leaseMs: TTL_MS, slots: new Map([['erp', 1]]) })).map(({ event }) => event.id)
    expect(await claim(dead)).toEqual(['evt_1'])
    expect(await claim(alive)).toEqual(['evt_2'])
    expect(await store.recoverClaims({ alive: 'workers', now: T })).toBe(0)
    await expire(dead)
    await bury(other)
    expect(await store.recoverClaims({ alive: 'workers', now: T })).toBe(1)
    expect(await claim(alive)).toEqual(['evt_1'])
    expect(await claim(alive)).toEqual(['evt_3'])
  })
})

describe('what workers attempt', () => {
  it('is found by the others once, also what took its number early and was stored late', async () => {
    const [store] = stores
    if (store === undefined) throw new Error('one was opened')
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    const events = ['evt_1', 'evt_2', 'evt_3'].map((id) => sampleEvent(id))
    await ring(store, events, ['erp'])
    const claimed = await store.claim({ owner: 'me', now: T, leaseMs: TTL_MS, slots: new Map([['erp', 3]]) })
    const [first = '', second = '', third = ''] = claimed.map(({ id }) => id)
    const settle = async (id: string): Promise<void> => {
      await store.settle('me', [{ id, attempt: attempt(), result: { kind: 'delivered' } }])
    }
    await settle(first)
    const begun = await other.attemptsSince(null)
    expect(begun.deliveries).toEqual([])
    const late = await db.one(new Query<{ ref: number }>(`SELECT nextval('attempts_ref_seq') AS ref`))
    await settle(second)
    const next = await other.attemptsSince(begun)
    expect(next.deliveries).toEqual([second])
    expect((await other.attemptsSince(next)).deliveries).toEqual([])
    await settle(third)
    await db.write(async (tx) => {
      const sql = 'UPDATE attempts SET ref = :ref WHERE ref = (SELECT max(ref) FROM attempts)'
      await tx.run(new Query(sql), { ref: late?.ref ?? 0 })
    })
    expect((await other.attemptsSince(next)).deliveries).toEqual([third])
  })
})
