import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, test } from 'vitest'
import { ShipbellError } from '../../src/errors.ts'
import { isGivenUp } from '../../src/plan/circuit.ts'
import { nextRetry } from '../../src/plan/retry-schedule.ts'
import { scripted } from './conformance/sending.ts'
import { alertedWorld, DAY, HOUR, MINUTE, SCHEDULE, to } from './alerted-world.ts'
import { EndpointWorld } from './endpoint-world.ts'
import { status, type ReceivedRequest, type ScriptedReceiver } from './scripted-receiver.ts'
import { NEVER_TRIED } from '../support/never-tried.ts'

function typesTo({ requests }: ScriptedReceiver): readonly string[] {
  return requests.map(({ body }: ReceivedRequest) => Object(JSON.parse(body)).type)
}

describe('an endpoint that fails', () => {
  it('rings at its fourth failure in a row, once, and is told in the same breath', async () => {
    const { erp, ops, world: life } = await alertedWorld()
    life.retryMs = [MINUTE, MINUTE, MINUTE, MINUTE, MINUTE]
    await life.ring('erp')
    const begin = life.clock.now()
    await life.live(begin + 2 * MINUTE)
    expect(await life.emitted()).toEqual([])
    await life.live(begin + 4 * MINUTE)
    expect(await life.notices()).toMatchObject([
      {
        type: 'endpoint.failing',
        account: null,
        subject: { resource: 'subscription', id: 'erp', version: 1, previousEventId: null },
        extras: {
          reason: `${erp.url} answered 500`,
          failures: 4,
          since: '2026-11-21T08:00:00.000Z',
          at: '2026-11-21T08:03:00.000Z',
        },
      },
    ])
    expect(typesTo(ops)).toEqual(['endpoint.failing'])
    expect(typesTo(erp)).not.toContain('endpoint.failing')
  })

  it('is told in the same run however long telling takes', async () => {
    const { ops, world: life } = await alertedWorld()
    const ring = life.ringing()
    await life.ring('erp')
    await life.deliver({
      ring: async (...rung) => {
        for (let turn = 0; turn < 50; turn += 1) await nextTurn()
        return await ring(...rung)
      },
    })
    expect(typesTo(ops)).toEqual(['endpoint.exhausted'])
  })

  it('goes through its whole life in four notices, however much fails', { tags: 'long' }, async () => {
    const { erp, ops, world: life } = await alertedWorld()
    life.retryMs = SCHEDULE.slice(0, 6)
    const begin = life.clock.now()
    for (let day = 0; day < 7; day += 1) {
      await life.ring('erp', 8)
      await life.live(begin + day * DAY)
    }
    expect(await life.emitted()).toEqual(['erp failing', 'erp exhausted', 'erp disabled'])
    const [, , disabled] = await life.notices()
    expect(disabled?.extras).toMatchObject({
      reason: `nothing but failures since 2026-11-21T08:00:00.000Z: ${erp.url} answered 500`,
      held: expect.any(Number),
    })
    const heldFrom = (disabled?.timestamp ?? 0) - begin
    expect([heldFrom >= 5 * DAY, heldFrom < 6 * DAY]).toEqual([true, true])
    const [endpoint] = await life.store.endpoints()
    expect(endpoint?.counts).toMatchObject({ pending: 0, held: 56 - (endpoint?.counts.exhausted ?? 0) })

    erp.answer = status(200)
    const asked = erp.requests.length
    await life.live(begin + 8 * DAY)
    expect(erp.requests).toHaveLength(asked)
    await life.store.enable('erp', { at: life.clock.now(), discard: false })
    await life.live(begin + 9 * DAY)
    expect(erp.requests.length - asked).toBe(endpoint?.counts.held)
    expect((await life.notices()).at(-1)).toMatchObject({
      type: 'endpoint.recovered',
      extras: { was: 'disabled', down_since: '2026-11-21T08:00:00.000Z' },
    })
    expect(typesTo(ops)).toEqual(['failing', 'exhausted', 'disabled', 'recovered'].map((type) => `endpoint.${type}`))
  })

  it('is disabled by one event on the default schedule, before that is exhausted', { tags: 'long' }, async () => {
    const { world: life } = await alertedWorld()
    life.retryMs = SCHEDULE
    await life.ring('erp')
    await life.live(life.clock.now() + 9 * DAY)
    expect(await life.emitted()).toEqual(['erp failing', 'erp disabled'])
    expect((await life.store.endpoints())[0]).toMatchObject({
      disabled: { by: 'failing' },
      counts: { held: 1, exhausted: 0 },
    })
  })

  it('is not disabled by time that passes without an attempt', async () => {
    const { erp, world: life } = await alertedWorld()
    life.retryMs = [13 * HOUR]
    await life.ring('erp')
    await life.live(life.clock.now() + 6 * DAY)
    expect(await life.emitted()).toEqual(['erp exhausted'])
    erp.answer = status(200)
    await life.ring('erp')
    await life.deliver()
    expect(await life.emitted()).toEqual(['erp exhausted', 'erp recovered'])
  })

  it('is not disabled by two failures six days apart, as of a process that starts before its network', async () => {
    const { erp, world: life } = await alertedWorld()
    life.retryMs = SCHEDULE
    await life.ring('erp')
    for (let boot = 0; boot < 3; boot += 1) {
      await life.deliver()
      await life.restart()
      life.clock.jump(life.clock.now() + 6 * DAY)
    }
    expect(await life.emitted()).toEqual([])
    erp.answer = status(200)
    await life.deliver()
    expect((await life.store.endpoints())[0]).toMatchObject({ disabled: null, counts: { delivered: 1 } })
  })

  it('is disabled by ten failures at least, each counting for the longest step at most', async () => {
    const { world: life } = await alertedWorld()
    life.retryMs = SCHEDULE
    const days: string[] = []
    for (let day = 1; (await life.emitted()).at(-1) !== 'erp disabled'; day += 1) {
      await life.ring('erp')
      await life.deliver({ unwatched: false })
      const [erp] = await life.store.endpoints()
      days.push(`${erp?.failuresInARow} in ${(erp?.failingForMs ?? 0) / DAY} days`)
      life.clock.jump(life.clock.now() + 2 * DAY)
    }
    expect(days.slice(0, 4)).toEqual(['1 in 0 days', '3 in 1 days', '6 in 2 days', '10 in 3 days'])
    expect(days.at(-1)).toMatch(/ in 5 days$/)
  })

  it.each([0, 0.5, 0.999])('is disabled by the twelfth failure of one event, with a jitter of %s', (random) => {
    const retryMs = [5_000, ...SCHEDULE]
    let [failures, failingForMs] = [1, 0]
    const facts = () => ({ ...NEVER_TRIED, failuresInARow: failures, failingForMs })
    while (!isGivenUp(facts())) {
      const next = nextRetry({ attempts: failures, retryMs, retryAfterMs: null, now: 0, random })
      if (next === 'exhausted') break
      failures += 1
      failingForMs += Math.min(next.at, Math.max(...retryMs))
    }
    expect(failures).toBe(12)
    expect(isGivenUp(facts())).toBe(true)
  })

  it('rings once for a last retry that is the first failure', async () => {
    const { world: life } = await alertedWorld()
    await life.ring('erp', 50)
    await life.deliver()
    expect(await life.emitted()).toEqual(['erp exhausted'])
  })

  it('is told no more while a command disables it, and is silent when that enables it', async () => {
    const { world: life } = await alertedWorld()
    await life.store.disable('erp', { reason: 'disabled by command', at: life.clock.now() })
    await life.ring('erp', 9)
    await life.deliver()
    await life.store.enable('erp', { at: life.clock.now(), discard: true })
    await life.deliver()
    expect(await life.emitted()).toEqual([])
  })
})

describe('410', () => {
  it('disables at once, and is told once', async () => {
    const { erp, ops, world: life } = await alertedWorld()
    erp.answer = status(410)
    await life.ring('erp', 9)
    await life.deliver()
    await life.deliver()
    const [notice, ...more] = await life.notices()
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      type: 'endpoint.disabled',
      extras: { reason: `${erp.url} answered 410 Gone`, held: 9, since: '2026-11-21T08:00:00.000Z' },
    })
    expect(typesTo(ops)).toEqual(['endpoint.disabled'])
  })

  it('of an address that was replaced meanwhile disables nothing and is no news', async () => {
    const { erp, ops, world: life } = await alertedWorld()
    const moved = await scripted()
    const asked = Promise.withResolvers<ReceivedRequest>()
    erp.answer = asked.resolve
    life.retryMs = [0]
    await life.ring('erp')
    const delivered = life.deliver()
    const request = await asked.promise
    await life.configure(to('erp', moved), to('ops', ops, { alert: true }))
    await life.ring('erp')
    await moved.received(1)
    status(410)(request)
    await delivered
    await life.deliver()
    expect((await life.store.endpoints())[0]?.disabled).toBeNull()
    expect(await life.emitted()).toEqual([])
    expect(moved.requests).toHaveLength(2)
  })

  it('tells anew what fails after it was enabled', async () => {
    const { erp, world: life } = await alertedWorld()
    erp.answer = status(410)
    await life.ring('erp')
    await life.deliver()
    erp.answer = status(500)
    life.retryMs = [MINUTE, MINUTE, MINUTE, MINUTE]
    await life.store.enable('erp', { at: life.clock.now(), discard: false })
    await life.live(life.clock.now() + HOUR)
    expect(await life.emitted()).toEqual(['erp disabled', 'erp failing', 'erp exhausted'])
  })
})

describe('the one that hears alerts', () => {
  it('is told of others, never of itself, and its own failures go to whoever names endpoint.*', async () => {
    const [erp, ops] = [await scripted(), await scripted(status(500))]
    const names = to('erp', erp, { events: ['endpoint.*'] })
    const life = await EndpointWorld.create(names, to('ops', ops, { events: ['*', 'endpoint.*'], alert: true }))
    life.retryMs = [MINUTE, MINUTE, MINUTE]
    await life.ring('ops')
    await life.live(life.clock.now() + HOUR)
    expect(await life.emitted()).toEqual(['ops exhausted'])
    expect(typesTo(erp)).toEqual(['endpoint.exhausted'])
    expect(new Set(typesTo(ops))).toEqual(new Set(['shipment.status_changed']))
  })

  it('does not go round in circles with another that fails, too', async () => {
    const [a, b] = [await scripted(status(500)), await scripted(status(500))]
    const hears = { events: ['*', 'endpoint.*'] }
    const life = await EndpointWorld.create(to('a', a, hears), to('b', b, { ...hears, alert: true }))
    life.retryMs = [0, 0, 0]
    await life.ring('a')
    await life.live(life.clock.now() + HOUR)
    expect((await life.emitted()).toSorted()).toEqual(['a exhausted', 'b exhausted'])
    expect(a.requests.length + b.requests.length).toBe(12)
  })
})

describe('a process that dies', () => {
  test('between an outcome and its notice is made up for by the next one, with nothing to deliver', async () => {
    const { ops, world: life } = await alertedWorld()
    await life.ring('erp', 9)
    await life.deliver({ unwatched: true })
    expect(await life.emitted()).toEqual([])
    await life.restart()
    await life.deliver()
    await life.restart()
    await life.deliver()
    expect(await life.emitted()).toEqual(['erp exhausted'])
    expect(typesTo(ops)).toEqual(['endpoint.exhausted'])
  })

  test('between giving up and its notice is made up for, too', async () => {
    const { world: life } = await alertedWorld()
    life.retryMs = SCHEDULE
    await life.ring('erp')
    const failing = new ShipbellError('store_unusable', 'The disk is full.')
    const ring = async (): Promise<never> => await Promise.reject(failing)
    for (let at = life.clock.now(); at !== null; at = (await life.store.nextDueAt()) ?? 0) {
      if (at === 0) break
      life.clock.jump(Math.max(at, life.clock.now()))
      await life.deliver({ ring })
    }
    expect(await life.emitted()).toEqual([])
    expect((await life.store.endpoints())[0]?.disabled?.by).toBe('failing')
    await life.restart()
    await life.deliver()
    expect(await life.emitted()).toEqual(['erp disabled'])
  })
})
