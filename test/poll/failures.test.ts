import { describe, expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, trackingOf } from './polling.ts'
import { onlyShipments } from './known-shipments.ts'
import { failFrom } from './poison.ts'

describe('a platform that fails (guarantee D9)', () => {
  test('rings unreachable after three failures in a row and recovered with the first success, each once', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(1)
    await polling.pass()
    polling.platform.trouble = () => ({ kind: 'unreachable' })
    await polling.run(3_600_000)
    polling.platform.trouble = () => null
    await polling.run(600_000)
    const types = await polling.types()
    expect(types.filter((type) => type !== 'account.baseline_completed')).toEqual([
      'account.unreachable',
      'account.recovered',
    ])
  })

  test(
    'is not what lacks a descriptor here: nothing rings, nothing is asked in a loop, and reading goes on by itself',
    { tags: 'long' },
    async () => {
      await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
      polling.platform.shipments = shipments(1)
      await polling.pass()
      polling.platform.trouble = () => ({ kind: 'lacking' })
      const before = polling.platform.asked.length
      await polling.run(3_600_000)
      expect(polling.platform.asked.length - before).toBeLessThan(200)
      expect(polling.platform.asked.length - before).toBeGreaterThan(10)
      polling.platform.trouble = () => null
      polling.platform.shipments = [shipment('SHP-1', { name: 'Another' })]
      await polling.run(600_000)
      const types = await polling.types()
      expect(types.filter((type) => type.startsWith('account.'))).toEqual(['account.baseline_completed'])
    },
  )

  test('never asks more often than its back-off allows, and never gives up', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.trouble = () => ({ kind: 'broken' })
    await polling.run(24 * 3_600_000)
    const times = polling.platform.asked.map(({ at }) => at)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(gaps.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(Math.min(...gaps.slice(9))).toBeGreaterThanOrEqual(300_000)
    expect(times.length).toBeGreaterThan(200)
  })

  test('stops at a refused key, probes for it, and goes on without a restart', { tags: 'long' }, async () => {
    await using polling = new Polling({}, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(5)
    await polling.pass()
    polling.platform.trouble = () => ({ kind: 'unauthorized' })
    const before = polling.platform.asked.length
    await polling.clock.advance(60_000)
    await polling.run(3_600_000)
    expect(polling.platform.asked.length - before).toBeLessThan(16)
    polling.platform.trouble = () => null
    polling.platform.shipments[0] = shipment('SHP-1', { status: 'in_progress' })
    await polling.run(1_200_000)
    const types = (await polling.types()).filter((type) => type !== 'account.baseline_completed')
    expect(types).toEqual(['account.unauthorized', 'account.recovered', 'shipment.status_changed'])
  })

  test('obeys Retry-After to the second and takes throttling for no failure', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(1)
    let throttled = false
    polling.platform.trouble = () => {
      if (throttled) return null
      throttled = true
      return { kind: 'throttled', retryAfterMs: 37_000 }
    }
    await polling.run(60_000)
    const [first, second] = polling.platform.asked
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(37_000)
    expect(await polling.types()).toEqual(['account.baseline_completed'])
  })

  test.each(['run', 'once'] as const)('Retry-After outlives the process: %s', async (command) => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(1)
    polling.platform.trouble = () => ({ kind: 'throttled', retryAfterMs: 3_600_000 })
    await polling.run(1_000)
    const askedAt = polling.platform.asked[0]?.at ?? 0
    polling.platform.trouble = () => null
    for (let restart = 0; restart < 3; restart += 1) {
      await polling.restart()
      if (command === 'run') await polling.run(10 * 60_000)
      else await polling.pass()
    }
    expect(polling.platform.asked).toHaveLength(1)
    await polling.restart()
    await polling.run(3_600_000)
    expect((polling.platform.asked[1]?.at ?? 0) - askedAt).toBe(3_600_000)
    await polling.restart()
    const asked = polling.platform.asked.length
    await polling.run(1)
    expect(polling.platform.asked.length).toBeGreaterThan(asked)
  })

  test.each([{ apiKey: 'another' }, { baseUrl: 'https://elsewhere.example' }])(
    'a pause that another key or address was asked for binds none: %j',
    async (settings) => {
      await using polling = new Polling({}, NO_CLOCK_IS_SET)
      polling.platform.shipments = shipments(1)
      polling.platform.trouble = () => ({ kind: 'throttled', retryAfterMs: 3_600_000 })
      await polling.run(2_000)
      polling.platform.trouble = () => null
      const asked = polling.platform.asked.length
      await polling.restart()
      await polling.run(2_000)
      expect(polling.platform.asked).toHaveLength(asked)
      await polling.restart(settings)
      await polling.run(2_000)
      expect(polling.platform.asked.length).toBeGreaterThan(asked)
    },
  )

  test('an account that starts together with others waits for its moment, but not for `once`', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(1)
    polling.startAfterMs = 3_000
    await polling.restart()
    await polling.run(2_999)
    expect(polling.platform.asked).toHaveLength(0)
    await polling.restart()
    await polling.run(3_000)
    expect(polling.platform.asked.length).toBeGreaterThan(0)
    const startedAt = polling.clock.now()
    polling.platform.asked.length = 0
    await polling.pass()
    expect((polling.platform.asked[0]?.at ?? 0) - startedAt).toBe(1_000)
  })

  test(
    'what its key bore outlives the process, for the address and key it was learned of',
    { tags: 'long' },
    async () => {
      const budget = { requests: 8, perMs: 60_000, concurrency: 1, share: 1 }
      await using polling = new Polling({ ...onlyShipments, budget }, NO_CLOCK_IS_SET)
      polling.platform.shipments = shipments(2_000)
      let throttled = false
      polling.platform.trouble = () => {
        const trouble = throttled ? null : ({ kind: 'throttled', retryAfterMs: 30_000 } as const)
        throttled = true
        return trouble
      }
      await polling.run(1)
      await polling.restart()
      await polling.clock.advance(600_000)
      polling.platform.asked.length = 0
      await polling.run(1)
      expect(polling.platform.asked).toHaveLength(4)
      await polling.restart({ ...onlyShipments, budget, apiKey: 'another' })
      await polling.clock.advance(600_000)
      await polling.run(1)
      expect(polling.platform.asked).toHaveLength(4 + 8)
    },
  )

  test('a restart after a clock was set back leaves the platform alone no longer than it asked for', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.trouble = () => ({ kind: 'throttled', retryAfterMs: 60_000 })
    await polling.run(1_000)
    polling.clock.jump(polling.clock.now() - 7 * 86_400_000)
    await polling.restart()
    await polling.run(60_000)
    expect(polling.platform.asked).toHaveLength(2)
  })

  test('a restart asks at once after a refused key, and once more in a row of failures however many went before', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.trouble = () => ({ kind: 'unauthorized' })
    await polling.run(3_600_000)
    await polling.restart()
    const asked = polling.platform.asked.length
    await polling.run(1)
    expect(polling.platform.asked).toHaveLength(asked + 1)
    polling.platform.trouble = () => ({ kind: 'broken' })
    await polling.restart()
    await polling.run(3_600_000)
    await polling.clock.advance(300_000)
    polling.platform.trouble = () => null
    expect((await polling.pass()).map(({ type }) => type)).toContain('account.baseline_completed')
  })

  test('an outage ends a pass incomplete; what came before it is kept, and nothing rings twice', async () => {
    await using polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    polling.platform.shipments[0] = shipment('SHP-1', { status: 'in_progress' })
    polling.platform.shipments[249] = shipment('SHP-250', { status: 'in_progress' })
    failFrom(polling, 'shipments?skip=200')
    const first = await polling.pass()
    expect(
      first
        .filter(({ account, type }) => account === 'acme' && type.startsWith('shipment.'))
        .map(({ subject }) => subject.id),
    ).toEqual(['SHP-1'])
    polling.platform.trouble = () => null
    const second = await polling.pass()
    expect(second.filter(({ type }) => type.startsWith('shipment.')).map(({ subject }) => subject.id)).toEqual([
      'SHP-250',
    ])
  })

  test('keeps to the budget across restarts and passes of `once`', { tags: 'long' }, async () => {
    await using polling = new Polling(
      { budget: { requests: 5, perMs: 60_000, concurrency: 1, share: 1 } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(50)
    for (let start = 0; start < 6; start += 1) {
      await polling.run(1_000)
      await polling.restart()
    }
    await polling.pass()
    const sent = polling.platform.asked.map(({ at }) => at)
    expect(sent.length).toBeGreaterThan(10)
    for (const from of sent) {
      expect(sent.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(5)
    }
  })

  test('keeps to the budget in any window', { tags: 'long' }, async () => {
    await using polling = new Polling(
      { budget: { requests: 10, perMs: 60_000, concurrency: 4, share: 1 } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(100)
    await polling.run(3_600_000)
    const times = polling.platform.asked.map(({ at }) => at)
    const most = Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 60_000).length))
    expect(most).toBe(10)
  })
})

describe('tracking', () => {
  test('is read while a shipment is live and for seven days after the read that showed it closed', async () => {
    await using polling = new Polling({}, NO_CLOCK_IS_SET)
    polling.platform.shipments = [shipment('SHP-1', { status: 'in_progress' })]
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    polling.platform.shipments = [shipment('SHP-1', { status: 'finished' })]
    await polling.pass()
    await polling.clock.advance(7 * 86_400_000 - 10_000)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Gate out'))
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['tracking.event_added'])
    await polling.clock.advance(20_000)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Gate out', 'Returned'))
    expect(await polling.pass()).toEqual([])
  })
})
