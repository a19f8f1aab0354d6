import { describe, expect, test } from 'vitest'
import { dataBesidesObject } from '../../src/model/event-data.ts'
import { alteredEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { textsOf } from '../../src/model/event-texts.ts'
import { payloadBytes } from '../../src/model/payload.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { ClaimedDelivery } from '../../src/store/ports/delivery-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const MINUTE = 60_000
const FULL = { payload: 'full', format: 'standard' } as const

async function opened(open: OpenStore, ...names: readonly string[]): Promise<Store> {
  const store = await open()
  await store.syncSubscriptions(
    names.map((name) => ({ name, enabled: true })),
    T,
  )
  return store
}

function claim(store: Store, slots: Readonly<Record<string, number>>, { owner = 'one', now = T } = {}) {
  return store.claim({ owner, now, leaseMs: MINUTE, slots: new Map(Object.entries(slots)) })
}

function eventIds(claimed: readonly ClaimedDelivery[]): readonly string[] {
  return claimed.map(({ event }) => event.id)
}

async function claimOne(store: Store, now = T): Promise<string> {
  const [row] = await claim(store, { erp: 1 }, { now })
  if (row === undefined) throw new Error('nothing to claim')
  return row.id
}

function attemptResult(id: string, result: AttemptResult['result'], made = attempt()): AttemptResult {
  return { id, attempt: result.kind === 'released' ? null : made, result }
}

async function stateOf(store: Store, id: string) {
  const [row] = await deliveriesOf(store, { id, limit: 1 })
  return row
}

export function describeDelivering(open: OpenStore): void {
  describe('claiming', () => {
    test('gives the oldest events first, at most the slots of each subscription', async () => {
      await using store = await opened(open, 'erp', 'ops')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp', 'ops'])
      const claimed = await claim(store, { erp: 2, ops: 1, none: 5 })
      expect(claimed.map(({ subscription, event, attempts }) => [subscription, event.id, attempts])).toEqual([
        [expect.any(String), 'evt_1', 0],
        [expect.any(String), 'evt_1', 0],
        ['erp', 'evt_2', 0],
      ])
      const [first] = claimed
      const whole = { ...sampleEvent('evt_1'), sequence: 1 }
      expect(first === undefined ? first : alteredEvent(first.event, {})).toEqual(whole)
      expect(eventIds(await claim(store, { erp: 9, ops: 1 }))).toEqual(['evt_2', 'evt_3'])
    })

    test('gives the record of an event as bytes, too, as it would be serialised', async () => {
      await using store = await opened(open, 'erp')
      const object: JsonObject = JSON.parse('{"b":"☃ \\ud800","2":-0.0,"__proto__":{"1":[]},"a":1e21}')
      await ring(store, [sampleEvent('evt_1', { object }), sampleEvent('evt_2', { object: null })], ['erp'])
      const [first, second] = await claim(store, { erp: 2 })
      expect(Buffer.from((first && textsOf(first.event).objectJson) ?? []).toString()).toBe(
        JSON.stringify(first?.event.object),
      )
      expect(first?.event.object).toEqual(JSON.parse(JSON.stringify(object)))
      expect(second?.event.id).toBe('evt_2')
      expect(second && textsOf(second.event).objectJson).toBeUndefined()
    })

    test('gives what its reader was told last, where the row was made with it', async () => {
      await using store = await opened(open, 'erp')
      const events = [sampleEvent('evt_1'), sampleEvent('evt_2')]
      const deliveries = [
        { eventId: 'evt_1', subscription: 'erp', lastTold: T - MINUTE },
        { eventId: 'evt_2', subscription: 'erp' },
      ]
      await store.commit(batch({ events, deliveries }))
      const claimed = await claim(store, { erp: 2 })
      expect(claimed.map(({ lastTold }) => lastTold ?? null)).toEqual([T - MINUTE, null])
    })

    test('gives what a channel kept of earlier attempts, however they ended', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      const first = await claim(store, { erp: 3 })
      expect(first.map(({ progress }) => progress ?? null)).toEqual([null, null, null])
      const [one = '', two = '', three = ''] = first.map(({ id }) => id)
      await store.settle('one', [
        { ...attemptResult(one, { kind: 'retry', at: T + MINUTE }), progress: '{"taken":["a"]}' },
        { ...attemptResult(two, { kind: 'released' }), progress: '{"taken":["b"]}' },
        attemptResult(three, { kind: 'retry', at: T + MINUTE }),
      ])
      const again = await claim(store, { erp: 3 }, { now: T + MINUTE })
      expect(again.map(({ progress }) => progress ?? null)).toEqual(['{"taken":["a"]}', '{"taken":["b"]}', null])
      await store.settle('another', [{ ...attemptResult(one, { kind: 'delivered' }), progress: '{}' }])
      const note = success({ error: 'Refused for c.' })
      await store.settle('one', [attemptResult(one, { kind: 'delivered' }, note)])
      expect(await stateOf(store, one)).toMatchObject({ state: 'delivered', lastError: 'Refused for c.' })
      expect((await store.endpoints())[0]).toMatchObject({ failuresInARow: 0, lastError: null })
      await store.retry([one], { at: T + 2 * MINUTE, delivered: true })
      const [asked] = await claim(store, { erp: 1 }, { now: T + 2 * MINUTE })
      expect(asked).toMatchObject({ id: one, progress: '{"taken":["a"]}' })
    })

    test('gives what follows the record in a payload as text, where that is at hand', async () => {
      await using store = await opened(open, 'erp')
      const drafts = [
        sampleEvent('evt_1'),
        sampleEvent('evt_2', { changes: null, before: null }),
        sampleEvent('evt_3', { before: { status: 'x'.repeat(100_000) } }),
      ]
      await ring(store, drafts, ['erp'])
      const claimed = await claim(store, { erp: 3 })
      const texts = claimed.map(({ event }) => textsOf(event).restJson)
      expect(texts.slice(0, 2)).toEqual(
        claimed.slice(0, 2).map(({ event }) => JSON.stringify(dataBesidesObject(event))),
      )
      expect(claimed.map(({ event }) => event.before)).toEqual(drafts.map(({ before }) => before))
      for (const { event } of claimed)
        expect(payloadBytes(event, FULL)).toEqual(payloadBytes(alteredEvent(event, {}), FULL))
    })

    test('gives nothing without a slot, and else what is ready, whatever the clock shows', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      expect(await claim(store, {})).toEqual([])
      expect(await claim(store, { erp: 0 })).toEqual([])
      expect(eventIds(await claim(store, { erp: 1 }, { now: T - 365 * 86_400_000 }))).toEqual(['evt_1'])
    })

    test('tells when a row was due: at first the time of its event, then whatever made it due again', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const [row] = await claim(store, { erp: 1 }, { now: T + 7 })
      expect(row?.dueAt).toBe(T)
      await store.settle('one', [attemptResult(row?.id ?? '', { kind: 'retry', at: T + MINUTE })])
      expect(await claim(store, { erp: 1 }, { now: T + 2 * MINUTE })).toMatchObject([
        { attempts: 1, dueAt: T + MINUTE },
      ])
    })

    test('a row put off without an attempt is counted as deferred until then, and a command makes it due earlier', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      const rows = await claim(store, { erp: 3 })
      const [put, asked, failed] = rows.map(({ id }) => id)
      const later = { kind: 'retry', at: T + 9 * MINUTE } as const
      await store.settle('one', [
        { id: put ?? '', attempt: null, result: later },
        { id: asked ?? '', attempt: null, result: later },
        attemptResult(failed ?? '', later),
      ])
      expect(await stateOf(store, put ?? '')).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: later.at })
      expect(await store.deferredRows(T)).toBe(2)
      await store.retry([asked ?? ''], { at: T + 5, delivered: false })
      expect(await store.deferredRows(T + 5)).toBe(1)
      expect(await claim(store, { erp: 3 }, { now: T + 5 })).toMatchObject([{ id: asked, dueAt: T + 5 }])
      expect(await store.deferredRows(later.at)).toBe(0)
      expect(eventIds(await claim(store, { erp: 3 }, { now: later.at }))).toEqual(['evt_1', 'evt_2', 'evt_3'])
    })

    test('rows put off without an attempt are due again when subscriptions are made known, those that failed are not', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      const [put, failed] = (await claim(store, { erp: 2 })).map(({ id }) => id)
      const later = { kind: 'retry', at: T + 9 * MINUTE } as const
      await store.settle('one', [{ id: put ?? '', attempt: null, result: later }, attemptResult(failed ?? '', later)])
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T + 1)
      expect(await claim(store, { erp: 2 }, { now: T + 1 })).toMatchObject([{ id: put, dueAt: T, rangAt: T }])
    })

    test('of what waits is told what a claim would take, and nothing is taken', async () => {
      await using store = await opened(open, 'erp', 'ops')
      const test = { ...sampleEvent('evt_2'), cause: 'test' } as const
      await ring(store, [sampleEvent('evt_1'), test, sampleEvent('evt_3')], ['erp', 'ops'])
      const most = new Map([
        ['erp', 2],
        ['ops', 9],
        ['none', 5],
      ])
      const waiting = await store.waiting({ now: T, most })
      const claimed = await store.claim({ owner: 'one', now: T, leaseMs: MINUTE, slots: most })
      expect(waiting).toHaveLength(5)
      expect(new Set(waiting)).toEqual(
        new Set(
          claimed.map(({ id, subscription, attempts, dueAt, rangAt, event: { account, cause, subject } }) => {
            const event = { account, cause, subject: { resource: subject.resource, id: subject.id } }
            return { id, subscription, attempts, dueAt, rangAt, event }
          }),
        ),
      )
      expect(await store.waiting({ now: T, most })).toMatchObject([{ subscription: 'erp' }])
      const [last] = claimed
      await store.settle('one', [attemptResult(last?.id ?? '', { kind: 'retry', at: T + MINUTE })])
      const later = { now: T + MINUTE - 1, most, only: [last?.id ?? ''] }
      expect(await store.waiting(later)).toEqual([])
      expect(await store.waiting({ ...later, now: T + MINUTE })).toMatchObject([{ id: last?.id, attempts: 1 }])
    })

    test('of what waits tells tests, too, behind any backlog', async () => {
      await using store = await opened(open, 'erp')
      const tested = { ...sampleEvent('evt_9'), cause: 'test' } as const
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3'), tested], ['erp'])
      const causes = async (most: number) =>
        (await store.waiting({ now: T, most: new Map([['erp', most]]) })).map(({ event }) => event.cause)
      expect(await causes(2)).toEqual(['change', 'change', 'test'])
      expect(await causes(4)).toEqual(['change', 'change', 'change', 'test'])
      expect(await causes(0)).toEqual([])
    })

    test('gives a row to nobody else until the lease ends', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      expect(await claim(store, { erp: 9 }, { owner: 'two', now: T + MINUTE - 1 })).toEqual([])
      expect(eventIds(await claim(store, { erp: 9 }, { owner: 'two', now: T + MINUTE }))).toEqual(['evt_1'])

      await store.settle('one', [attemptResult(id, { kind: 'exhausted' })])
      expect(await stateOf(store, id)).toMatchObject({ state: 'pending', attempts: 0 })
      await store.settle('two', [attemptResult(id, { kind: 'delivered' }, success())])
      expect(await stateOf(store, id)).toMatchObject({ state: 'delivered', attempts: 1 })
    })

    test('puts an older retry before a newer event once both are due', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      await store.settle('one', [attemptResult(id, { kind: 'retry', at: T + 5_000 })])
      await ring(store, [sampleEvent('evt_2', { timestamp: T + 1_000 })], ['erp'])
      await ring(store, [sampleEvent('evt_3', { timestamp: T + 1_000 })], ['erp'])
      expect(eventIds(await claim(store, { erp: 1 }, { now: T + 4_999 }))).toEqual(['evt_2'])
      expect(eventIds(await claim(store, { erp: 2 }, { now: T + 5_000 }))).toEqual(['evt_1', 'evt_3'])
    })

    test('two claims at the same time never give the same row', async () => {
      await using store = await opened(open, 'erp')
      await ring(
        store,
        Array.from({ length: 50 }, (_, n) => sampleEvent(`evt_${n}`)),
        ['erp'],
      )
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, n) => claim(store, { erp: 5 }, { owner: `owner ${n}` })),
      )
      expect(new Set(claims.flat().map(({ id }) => id)).size).toBe(50)
    })

    test('what an owner has claimed and does not send is free once it says so, and nothing of others', async () => {
      await using store = await opened(open, 'erp', 'crm')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp', 'crm'])
      const [sent] = await claim(store, { erp: 2, crm: 1 })
      await claim(store, { crm: 1 }, { owner: 'two' })
      expect(await store.releaseClaims('one', [sent?.id ?? ''])).toBe(2)
      expect(await store.releaseClaims('one', [sent?.id ?? ''])).toBe(0)
      expect(await store.releaseClaims('three', [])).toBe(0)
      const again = await claim(store, { erp: 9, crm: 9 }, { owner: 'three' })
      expect(again).toHaveLength(4)
      expect(again.map(({ id }) => id)).not.toContain(sent?.id)
    })

    test('claims of processes that died can be ended at once', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      const [first] = await claim(store, { erp: 2 }, { owner: 'dead' })
      expect(await store.recoverClaims()).toBe(2)
      expect(eventIds(await claim(store, { erp: 9 }))).toEqual(['evt_1', 'evt_2', 'evt_3'])
      await store.settle('dead', [attemptResult(first?.id ?? '', { kind: 'delivered' }, success())])
      expect(await stateOf(store, first?.id ?? '')).toMatchObject({ state: 'pending', attempts: 0 })
    })
  })

  describe('settling', () => {
    test('keeps until when an address rests, the latest that was asked, whoever holds the row', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      const emitted = (address: string, until: number, at: number): AttemptResult => ({
        ...attemptResult(id, { kind: 'retry', at: until }, attempt({ at })),
        cooldown: { address, until },
      })
      await store.settle('one', [emitted('a', T + 9, T), emitted('a', T + 5, T), emitted('b', T + 7, T)])
      await store.settle('nobody', [emitted('a', T + 20, T)])
      const { cooldowns } = await store.waits()
      expect(cooldowns).toHaveLength(2)
      expect(new Set(cooldowns)).toEqual(
        new Set([
          { address: 'a', until: T + 20 },
          { address: 'b', until: T + 7 },
        ]),
      )
      await store.settle('nobody', [emitted('c', T + MINUTE, T + 20)])
      expect((await store.waits()).cooldowns).toEqual([{ address: 'c', until: T + MINUTE }])
    })

    test('a success ends a row', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      await store.settle('one', [attemptResult(id, { kind: 'delivered' }, success())])
      expect(await stateOf(store, id)).toEqual({
        id,
        eventId: 'evt_1',
        type: 'shipment.status_changed',
        account: 'acme',
        subscription: 'erp',
        position: 1,
        state: 'delivered',
        attempts: 1,
        waitsFor: null,
        nextAttemptAt: null,
        lastStatus: 200,
        lastError: null,
        payloadExpiredAt: null,
      })
      expect(await store.attempts(id)).toEqual([success()])
      expect(await store.nextDueAt()).toBeNull()
    })

    test('a failure waits for its time, and counts', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      await store.settle('one', [attemptResult(id, { kind: 'retry', at: T + 5_000 })])
      expect(await stateOf(store, id)).toMatchObject({
        state: 'pending',
        attempts: 1,
        nextAttemptAt: T + 5_000,
        lastStatus: 500,
        lastError: 'The receiver answered 500.',
      })
      expect(await store.nextDueAt()).toBe(T + 5_000)
      const [again] = await claim(store, { erp: 1 }, { now: T + 5_000 })
      expect(again).toMatchObject({ id, attempts: 1 })
      const second = attempt({ at: T + 5_000, status: null, error: 'No answer.', answer: null })
      await store.settle('one', [attemptResult(id, { kind: 'exhausted' }, second)])
      expect(await stateOf(store, id)).toMatchObject({
        state: 'exhausted',
        attempts: 2,
        nextAttemptAt: null,
        lastStatus: null,
      })
      expect(await store.attempts(id)).toEqual([attempt(), second])
    })

    test('an attempt cut by shutdown does not count, and its row is due at once', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      await store.settle('one', [attemptResult(id, { kind: 'released' })])
      expect(await stateOf(store, id)).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: T })
      expect(await store.attempts(id)).toEqual([])
      expect(await claimOne(store)).toBe(id)
    })

    test('the same outcome written twice counts once', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      const outcome = attemptResult(id, { kind: 'retry', at: T + 5_000 })
      await store.settle('one', [outcome, outcome])
      await store.settle('one', [outcome])
      await store.settle('one', [attemptResult('dlv_unknown', { kind: 'exhausted' })])
      expect(await stateOf(store, id)).toMatchObject({ attempts: 1 })
      expect(await store.attempts(id)).toHaveLength(1)
      expect((await store.endpoints())[0]).toMatchObject({ failuresInARow: 1 })
    })

    test('one attempt that told several deliveries counts once for the endpoint, and is logged for each', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      const claimed = await claim(store, { erp: 3 })
      const failed = claimed.map(({ id }, index) => ({
        ...attemptResult(id, { kind: 'retry', at: T }),
        shared: index > 0,
      }))
      await store.settle('one', failed)
      expect((await store.endpoints())[0]).toMatchObject({ failuresInARow: 1 })
      for (const { id } of claimed) expect(await store.attempts(id)).toHaveLength(1)
    })

    test('failures in a row are counted until a success', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      const claimed = await claim(store, { erp: 3 })
      const [a = '', b = '', c = ''] = claimed.map(({ id }) => id)
      await store.settle('one', [
        attemptResult(a, { kind: 'retry', at: T + MINUTE }),
        attemptResult(b, { kind: 'exhausted' }),
      ])
      expect((await store.endpoints())[0]).toMatchObject({ failuresInARow: 2, lastSuccessAt: null })
      await store.settle('one', [attemptResult(c, { kind: 'delivered' }, success({ at: T + 7 }))])
      expect((await store.endpoints())[0]).toMatchObject({ failuresInARow: 0, lastSuccessAt: T + 7 })
    })

    test('a 410 holds the row and every pending one of the subscription', async () => {
      await using store = await opened(open, 'erp', 'ops')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp', 'ops'])
      const [gone, under] = await claim(store, { erp: 2 })
      const answered = attempt({ status: 410, error: 'The receiver answered 410.' })
      await store.settle('one', [
        attemptResult(gone?.id ?? '', { kind: 'disable', reason: 'It answered 410.' }, answered),
      ])
      const states = await deliveriesOf(store, { subscription: 'erp', limit: 9 })
      expect(states.map(({ state }) => state)).toEqual(['held', 'held', 'held'])
      expect(await store.attempts(gone?.id ?? '')).toEqual([answered])
      expect(await claim(store, { erp: 9 }, { now: T + 9 * MINUTE })).toEqual([])
      expect(eventIds(await claim(store, { ops: 9 }))).toEqual(['evt_1', 'evt_2', 'evt_3'])
      const [erp] = await store.endpoints()
      expect(erp).toMatchObject({
        subscription: 'erp',
        enabled: true,
        counts: { held: 3, pending: 0 },
        failuresInARow: 1,
      })
      expect(erp?.disabled).toEqual({
        reason: 'It answered 410.',
        at: answered.at + answered.durationMs,
        by: 'gone',
      })

      await store.settle('one', [attemptResult(under?.id ?? '', { kind: 'delivered' }, success())])
      expect(await stateOf(store, under?.id ?? '')).toMatchObject({ state: 'delivered' })
    })

    test('an attempt that fails after its endpoint was disabled leaves the row held', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      const [failing, cut] = await claim(store, { erp: 2 })
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.settle('one', [
        attemptResult(failing?.id ?? '', { kind: 'retry', at: T + MINUTE }),
        attemptResult(cut?.id ?? '', { kind: 'released' }),
      ])
      expect(await stateOf(store, failing?.id ?? '')).toMatchObject({ state: 'held', attempts: 1, nextAttemptAt: null })
      expect(await stateOf(store, cut?.id ?? '')).toMatchObject({ state: 'held', attempts: 0, nextAttemptAt: null })
    })
  })

  describe('the next due row', () => {
    test('is the earliest of fresh rows, retries and ends of claims', async () => {
      await using store = await opened(open, 'erp', 'ops')
      expect(await store.nextDueAt()).toBeNull()
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      expect(await store.nextDueAt()).toBe(T)
      const id = await claimOne(store)
      expect(await store.nextDueAt()).toBe(T + MINUTE)
      await store.settle('one', [attemptResult(id, { kind: 'retry', at: T + 2 * MINUTE })])
      expect(await store.nextDueAt()).toBe(T + 2 * MINUTE)
      await ring(store, [sampleEvent('evt_2', { timestamp: T + 3 })], ['ops'])
      expect(await store.nextDueAt()).toBe(T + 3)
      expect(await store.nextDueAt(['erp'])).toBe(T + 2 * MINUTE)
      expect(await store.nextDueAt([])).toBeNull()
    })
  })

  describe('the configuration', () => {
    test.each([
      ['missing from it', []],
      ['disabled in it', [{ name: 'erp', enabled: false }]],
    ])('a subscription %s keeps its rows as held until it returns', async (_, file) => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await store.syncSubscriptions(file, T)
      await ring(store, [sampleEvent('evt_2')], ['erp'])
      const held = await deliveriesOf(store, { limit: 9 })
      expect(held.map(({ state, nextAttemptAt }) => [state, nextAttemptAt])).toEqual([
        ['held', null],
        ['held', null],
      ])
      expect(await claim(store, { erp: 9 })).toEqual([])

      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T + 5)
      // As due as when their events rang: nobody asked for a row by itself.
      expect(await store.nextDueAt()).toBe(T)
      const waiting = await store.waiting({ now: T + 5, most: new Map([['erp', 9]]) })
      expect(waiting.map(({ dueAt, rangAt }) => dueAt === rangAt)).toEqual([true, true])
      expect(eventIds(await claim(store, { erp: 9 }, { now: T + 5 }))).toEqual(['evt_1', 'evt_2'])
    })

    test('a subscription that was never configured gets held rows', async () => {
      await using store = await open()
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      expect((await deliveriesOf(store, { limit: 1 }))[0]).toMatchObject({ state: 'held', nextAttemptAt: null })
    })

    test('does not enable what a command disabled', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T + 1)
      expect(await claim(store, { erp: 9 })).toEqual([])
      expect((await store.endpoints())[0]?.disabled).toEqual({ reason: 'maintenance', at: T, by: 'command' })
    })

    test('read again unchanged moves no row', async () => {
      await using store = await opened(open, 'erp')
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimOne(store)
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T + 1)
      expect(await claim(store, { erp: 9 })).toEqual([])
      await store.settle('one', [attemptResult(id, { kind: 'retry', at: T + MINUTE })])
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T + 2)
      expect(await store.nextDueAt()).toBe(T + MINUTE)
    })
  })
}
