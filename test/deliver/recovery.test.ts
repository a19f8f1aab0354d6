import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  attempts,
  counts,
  DAY,
  deliveredByFiveASecond,
  event,
  events,
  flapping,
  HOUR,
  idOf,
  MINUTE,
  quiet,
  SECOND,
  secondsBehindRefused,
  world,
} from './backlogs.ts'
import type { EndpointWorld } from './endpoint-world.ts'
import { askProbes } from '../../src/operate/asked-probes.ts'
import { hang, status } from './scripted-receiver.ts'
import { until } from './until.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const asks = (seconds: number) => status(503, { 'retry-after': String(seconds) })

/** Events that failed twice and wait for a day. */
async function waiting(life: EndpointWorld, amount: number): Promise<void> {
  life.retryMs = [SECOND, DAY, DAY]
  await life.ring('erp', amount)
  await life.deliver()
  life.clock.jump(life.clock.now() + SECOND)
  await life.deliver()
}

describe('what waits for its schedule when an endpoint has recovered', () => {
  it('is brought forward, oldest first', async () => {
    const { life, erp } = await world(1)
    await waiting(life, 6)
    erp.answer = status(200)
    await life.ring('erp')
    const before = erp.requests.length
    await life.deliver()
    expect(erp.requests.slice(before).map(idOf)).toEqual([event(7), ...events(1, 6)])
    expect(await counts(life)).toMatchObject({ pending: 0, delivered: 7 })
  })

  it('is brought forward by the next process, too', async () => {
    const { life, erp } = await world()
    await waiting(life, 6)
    erp.answer = status(200)
    await life.ring('erp')
    const [row] = await life.store.claim({
      owner: 'dead',
      now: life.clock.now(),
      leaseMs: 1,
      slots: new Map([['erp', 1]]),
    })
    const attempt = { at: life.clock.now(), durationMs: 1, status: 200, error: null, answer: null }
    await life.store.settle('dead', [{ id: row?.id ?? '', attempt, result: { kind: 'delivered' } }])
    await life.restart()
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0, delivered: 7 })
  })

  it('comes in attempts at once that double from round to round, up to its concurrency', async () => {
    const { life, erp } = await world(8)
    await waiting(life, 30)
    erp.answer = hang
    const before = erp.requests.length
    await life.ring('erp')
    life.start()
    const rounds: number[] = []
    for (let answered = before; rounds.length < 5;) {
      const expected =
        before + rounds.reduce((sum, each) => sum + each, 0) + Math.min(2 ** Math.max(0, rounds.length - 1), 8)
      await until(() => erp.requests.length >= expected)
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      const round = erp.requests.slice(answered)
      rounds.push(round.length)
      answered = erp.requests.length
      for (const request of round) status(200)(request)
    }
    expect(rounds).toEqual([1, 1, 2, 4, 8])
  })

  it('stays where it was when it fails again, and takes none of its retries', async () => {
    const { life, erp } = await world(1)
    await waiting(life, 6)
    let answers = 0
    erp.answer = (request) => status((answers += 1) === 1 ? 200 : 500)(request)
    await life.ring('erp')
    const dueAt = life.clock.now() + DAY
    await life.deliver()
    const rows = (await deliveriesOf(life.store, { limit: 9 })).toReversed()
    expect(rows.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([...Array(6).fill(dueAt), null])
    life.clock.jump(dueAt)
    await life.deliver()
    life.clock.jump(dueAt + DAY)
    expect(await counts(life)).toMatchObject({ pending: 6, exhausted: 0 })
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0, exhausted: 6 })
  })

  it('is brought forward once more when the endpoint had failed anew, and recovers', async () => {
    const { life, erp } = await world(1)
    await waiting(life, 6)
    let answers = 0
    erp.answer = (request) => status((answers += 1) === 1 ? 200 : 500)(request)
    await life.ring('erp')
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 6 })
    erp.answer = status(200)
    await life.ring('erp')
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 4, delivered: 4 })
    life.clock.jump(life.clock.now() + MINUTE)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0, delivered: 8 })
  })

  it('is tried a few times beside its schedule where it alone is refused', async () => {
    const { life, erp } = await world(1)
    await waiting(life, 6)
    erp.answer = (request) => status(idOf(request) === event(2) ? 400 : 200)(request)
    const before = (await attempts(life, event(2))) ?? 0
    for (let minute = 0; minute < 23 * 60; minute += 20) {
      await life.ring('erp')
      await life.deliver()
      life.clock.jump(life.clock.now() + 20 * MINUTE)
    }
    expect(await attempts(life, event(2))).toBeLessThanOrEqual(before + 12)
  })

  it.each([
    ['fails', 500],
    ['has just recovered', 200],
  ])('is brought forward where a command enables an endpoint that %s and was not disabled', async (_, code) => {
    const { life, erp } = await world(1)
    await waiting(life, 6)
    erp.answer = status(code)
    await life.ring('erp')
    const [row] = await life.store.claim({
      owner: 'dead',
      now: life.clock.now(),
      leaseMs: 1,
      slots: new Map([['erp', 1]]),
    })
    const result = code === 200 ? ({ kind: 'delivered' } as const) : ({ kind: 'exhausted' } as const)
    const attempt = { at: life.clock.now(), durationMs: 1, status: code, error: null, answer: null }
    await life.store.settle('dead', [{ id: row?.id ?? '', attempt, result }])
    await life.store.enable('erp', { at: life.clock.now(), discard: false })
    erp.answer = status(200)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0 })
  })

  it('waits as long as Retry-After asked for', async () => {
    const { life, erp } = await world(1)
    erp.answer = (request) => (idOf(request) === event(2) ? asks(7_200) : asks(60))(request)
    await waiting(life, 6)
    life.clock.jump(life.clock.now() + MINUTE)
    erp.answer = status(200)
    await life.ring('erp')
    await life.deliver()
    const pending = await deliveriesOf(life.store, { states: ['pending'], limit: 9 })
    expect(pending.map(({ eventId }) => eventId)).toEqual([event(2)])
    await life.ring('erp')
    life.clock.jump(life.clock.now() + 2 * HOUR)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0, delivered: 8 })
  })

  it('is not brought forward by a success after one event alone was refused', async () => {
    const { life, erp } = await world(1)
    erp.answer = (request) => status(idOf(request) === event(2) ? 400 : 200)(request)
    life.retryMs = [DAY]
    await life.ring('erp', 20)
    await life.deliver()
    await life.ring('erp', 20)
    await life.deliver()
    expect(await attempts(life, event(2))).toBe(1)
    expect(await counts(life)).toMatchObject({ pending: 1, delivered: 39 })
  })
})

describe('an endpoint that fails with a large backlog', () => {
  it('is probed, first each second and in the end twice a minute, and takes nothing of what is not tried', async () => {
    const { life, erp } = await world()
    life.retryMs = [5 * SECOND, 5 * MINUTE]
    await life.ring('erp', 400)
    life.start()
    await until(() => erp.requests.length >= 10)
    await quiet(erp)
    await until(async () => (await life.store.endpointFacts())[0]?.failuresInARow === erp.requests.length)
    const atOnce = erp.requests.length
    expect(atOnce).toBeLessThanOrEqual(13)
    const probes: number[] = []
    for (const wait of [1, 2, 4, 8, 16, 30, 30, 30]) {
      await life.clock.advance((wait - 1) * SECOND)
      const before = erp.requests.length
      await life.clock.advance(SECOND)
      await until(() => erp.requests.length > before)
      await until(async () => (await life.store.endpointFacts())[0]?.failuresInARow === erp.requests.length)
      probes.push(erp.requests.length - before)
    }
    expect(probes).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(erp.requests.length).toBe(atOnce + 8)
    expect(await counts(life)).toMatchObject({ pending: 400, exhausted: 0 })
  })

  it('is probed at once where a person asks for a row of it, and is sent everything if that arrives', async () => {
    const { life, erp } = await world()
    life.retryMs = [5 * SECOND, DAY]
    await life.ring('erp', 400)
    life.start()
    await until(() => erp.requests.length >= 10)
    await quiet(erp)
    await until(async () => (await life.store.endpointFacts())[0]?.failuresInARow === erp.requests.length)
    for (const wait of [1, 2, 4, 8, 16, 30]) {
      const before = erp.requests.length
      await life.clock.advance(wait * SECOND)
      await until(() => erp.requests.length > before)
      await until(async () => (await life.store.endpointFacts())[0]?.failuresInARow === erp.requests.length)
    }
    erp.answer = status(200)
    await life.clock.advance(2 * SECOND)
    await quiet(erp)
    expect(await counts(life)).toMatchObject({ delivered: 0 })
    const [before, from] = [erp.requests.length, life.clock.now()]
    const probed = await askProbes(life, ['erp', 'nobody'])
    expect(probed.map(({ subscription }) => subscription)).toEqual(['erp'])
    await until(async () => {
      await life.clock.advance(SECOND / 2)
      return erp.requests.length > before + 100
    })
    expect(life.clock.now() - from).toBeLessThan(15 * SECOND)
    await until(async () => (await life.store.endpointFacts())[0]?.failuresInARow === 0)
    expect(await askProbes(life, ['erp'])).toEqual([])
  })

  it('is sent everything after the first probe that arrives', async () => {
    const { life, erp } = await world(16)
    life.retryMs = [5 * SECOND, DAY]
    await life.ring('erp', 400)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ delivered: 0 })
    erp.answer = status(200)
    life.clock.jump(life.clock.now() + MINUTE)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 0, delivered: 400 })
  })

  it('is not taken for dead because its oldest events are refused', async () => {
    const { life, erp } = await world()
    const poison = new Set(events(1, 40))
    erp.answer = (request) => status(poison.has(idOf(request)) ? 400 : 200)(request)
    life.retryMs = [HOUR]
    await life.ring('erp', 400)
    for (let second = 0; second < 20; second += 1) {
      await life.deliver()
      life.clock.jump(life.clock.now() + 2 * SECOND)
    }
    expect(await counts(life)).toMatchObject({ delivered: 360 })
  })

  it('answers a test at once', async () => {
    const { life, erp } = await world()
    life.retryMs = [HOUR]
    await life.ring('erp', 400)
    life.start()
    await until(async () => ((await life.store.endpointFacts())[0]?.failuresInARow ?? 0) >= 10)
    await life.ringTest('erp')
    await until(() => erp.requests.map(idOf).includes('evt_test'))
  })

  it('is tried anew at once when a command enables it', async () => {
    const { life, erp } = await world()
    life.retryMs = [HOUR]
    await life.ring('erp', 400)
    life.start()
    await until(async () => ((await life.store.endpointFacts())[0]?.failuresInARow ?? 0) >= 10)
    await life.clock.advance(31 * SECOND)
    erp.answer = status(200)
    await life.store.disable('erp', { reason: 'maintenance', at: life.clock.now() })
    await life.store.enable('erp', { at: life.clock.now(), discard: false })
    await life.clock.advance(2 * SECOND)
    await until(async () => (await counts(life))?.delivered === 400)
  })

  it('is disabled after five days of nothing but failures', async () => {
    const { life } = await world()
    life.retryMs = [5 * SECOND, 5 * MINUTE, HOUR, ...Array<number>(20).fill(8 * HOUR)]
    await life.ring('erp', 400)
    const begin = life.clock.now()
    for (let hour = 0; hour < 6 * 24; hour += 2) {
      life.clock.jump(begin + hour * HOUR)
      await life.deliver()
    }
    expect(await life.emitted()).toEqual(['erp failing', 'erp disabled'])
  })
})

describe('a backlog whose oldest events are always refused', () => {
  it.each([
    [34, 425],
    [100, 250],
  ])('arrives as soon as one without: %s of %s', async (refused, all) => {
    expect(await secondsBehindRefused({ refused, all })).toBeLessThanOrEqual(2)
  })
})

describe('an endpoint that flaps', () => {
  it('is sent its backlog about as fast as it takes it, without a storm', async () => {
    const { seconds, requests } = await flapping({ events: 200, aSecond: 20 })
    expect(seconds).toBeLessThanOrEqual(2 * 10)
    expect(requests).toBeLessThanOrEqual(4 * 200)
  })
})

describe('an endpoint that dies', () => {
  it('is probed soon where all that is due was tried before', async () => {
    const { life, erp } = await world(4)
    const refused = new Set(events(1, 400))
    erp.answer = (request) => status(refused.has(idOf(request)) ? 500 : 200)(request)
    life.retryMs = [HOUR, HOUR]
    await life.ring('erp', 450)
    await life.deliver()
    expect(await counts(life)).toMatchObject({ pending: 400, delivered: 50 })
    erp.answer = status(500)
    life.clock.jump(life.clock.now() + HOUR)
    let before = erp.requests.length
    life.start()
    await until(() => erp.requests.length > before)
    await quiet(erp)
    expect(erp.requests.length - before).toBeLessThanOrEqual(94)
    const probes: number[] = []
    for (const wait of [1, 2, 4, 8, 16, 30]) {
      before = erp.requests.length
      await life.clock.advance(wait * SECOND)
      await quiet(erp)
      probes.push(erp.requests.length - before)
    }
    expect(probes).toEqual([1, 1, 1, 1, 1, 1])
  })
})

describe('an endpoint that takes five events a second and refuses the others', () => {
  it('is not sent all at once whenever it takes one: more than half arrive before their retries are used up', async () => {
    expect(await deliveredByFiveASecond({ events: 150, seconds: 50, later: 75 })).toBeGreaterThan(75)
  })
})

describe('a small backlog', () => {
  it('is tried as its schedule says, whatever fails', async () => {
    const { life, erp } = await world()
    life.retryMs = [SECOND, SECOND]
    await life.ring('erp', 100)
    await life.live(life.clock.now() + 2 * SECOND)
    expect(await counts(life)).toMatchObject({ pending: 0, exhausted: 100 })
    expect(erp.requests).toHaveLength(300)
  })
})
