import { describe, expect, test, vi } from 'vitest'
import { Stage } from './stage.ts'
import { killed, stopped, WAIT } from './workplace.ts'

describe.concurrent('the daemon, end to end', () => {
  test('polls, rings, signs and delivers, and stops cleanly', async () => {
    await using stage = await Stage.open()
    const { platform, receiver } = stage
    platform.shipments = [{ platform_shipment_id: 'SHP 1/a', name: 'First', status: 'booked' }]
    platform.tracking.set('SHP 1/a', { platform_shipment_id: 'SHP 1/a', status: 'booked', tracking_steps: [] })
    const daemon = await stage.startLearnt()
    platform.shipments = [{ platform_shipment_id: 'SHP 1/a', name: 'First', status: 'in_progress' }]
    platform.tracking.set('SHP 1/a', { platform_shipment_id: 'SHP 1/a', status: 'sailing', tracking_steps: [] })
    platform.invoices = [{ reference: 'INV 1', type: 'invoice', status: 'new', platform_shipment_id: 'SHP 1/a' }]
    await vi.waitFor(() => expect(receiver.events.length).toBe(6), WAIT)
    const rung = receiver.events.slice(3).map(({ type }) => type)
    expect(rung.toSorted()).toEqual(['invoice.created', 'shipment.status_changed', 'tracking.status_changed'])
    expect(receiver.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(receiver.problems).toEqual([])
    await stopped(daemon)
  })

  test('says whether it is alive and ready', async () => {
    await using stage = await Stage.open()
    const { work } = stage
    const daemon = work.start('run')
    const [, url] = await daemon.prints(/admin interface on (\S+)/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), WAIT)
    await stopped(daemon)
  })

  test('a second daemon on the store is refused with the holder named, and harms nothing', async () => {
    await using stage = await Stage.open()
    const { work } = stage
    const daemon = work.start('run')
    await daemon.prints(/admin interface on/)
    const second = await work.run('run')
    expect(second.code).toBe(3)
    expect(second.stderr).toMatch(/process \d+/)
    expect(second.stderr).not.toMatch(/\n\s+at /)
    await stopped(daemon)
  })

  test('kill -9 at any moment loses nothing, invents nothing, and repeats only under the same id', async () => {
    await using stage = await Stage.open()
    const { work, platform, receiver } = stage
    const names = Array.from({ length: 120 }, (_, index) => `SHP-${index}`)
    const render = (round: number): void => {
      platform.shipments = names.map((id) => ({
        platform_shipment_id: id,
        status: 'in_progress',
        name: `round ${round}`,
      }))
    }
    render(0)
    let daemon = await stage.startLearnt()
    for (let round = 1; round <= 4; round += 1) {
      const before = receiver.received.length
      render(round)
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before + 10 * round), WAIT)
      await killed(daemon)
      daemon = work.start('run')
      await vi.waitFor(() => expect(receiver.events.length).toBe(3 + round * names.length), WAIT)
    }
    for (const id of names) {
      const own = receiver.events.filter(({ subject }) => subject.id === id)
      expect(own.map(({ subject }) => subject.version)).toEqual([1, 2, 3, 4])
      expect(own.slice(1).map(({ subject }) => subject.previous_event_id)).toEqual(
        own.slice(0, -1).map(({ id: eventId }) => eventId),
      )
    }
    expect(receiver.problems).toEqual([])
    await stopped(daemon)
  })

  test('a subscriber that fails for a while gets everything in the end, each event under one id', async () => {
    await using stage = await Stage.open()
    const { platform, receiver } = stage
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
    const daemon = await stage.startLearnt()
    let failures = 3
    receiver.answer = () => (failures-- > 0 ? 503 : 200)
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
    await vi.waitFor(() => expect(receiver.events.length).toBe(4), WAIT)
    await stopped(daemon)
    const rows = await stage.deliveries()
    expect(rows.find(({ type }) => type === 'shipment.status_changed')).toMatchObject({
      state: 'delivered',
      attempts: 4,
    })
  })
})

describe.concurrent('beside a running daemon', () => {
  test('retry waits for an endpoint that takes its time, and says what came of it', async () => {
    await using stage = await Stage.open()
    const { work, receiver } = stage
    const daemon = await stage.startLearnt()
    const answered = Promise.withResolvers<number>()
    receiver.answer = () => answered.promise
    const [row] = await stage.deliveries()
    const retry = work.start('deliveries', 'retry', row?.id ?? '', '--json')
    await vi.waitFor(() => expect(receiver.asked).toBe(4), WAIT)
    answered.resolve(200)
    const ended = await retry.ended
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(JSON.parse(ended.stdout)).toMatchObject([{ id: row?.id, state: 'delivered', attempts: 2 }])
    await stopped(daemon)
  })
})

describe('without a daemon', () => {
  test('retry sends the rows it was asked for, once each, and no other', async () => {
    await using stage = await Stage.open()
    const { work, receiver } = stage
    receiver.answer = () => 500
    await work.run('once')
    const [row] = await stage.deliveries()
    const before = receiver.asked
    const retry = await work.run('deliveries', 'retry', row?.id ?? '', '--json')
    expect(retry.code).toBe(1)
    expect(receiver.asked).toBe(before + 1)
    expect(JSON.parse(retry.stdout)).toMatchObject([
      { id: row?.id, state: 'pending', attempts: (row?.attempts ?? 0) + 1 },
    ])
  })
})

describe.concurrent('once', () => {
  test('learns, then rings, and exits 0 when everything was read and delivered', async () => {
    await using stage = await Stage.open()
    const { work, platform, receiver } = stage
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
    expect((await work.run('once')).code).toBe(0)
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
    expect((await work.run('once')).code).toBe(0)
    expect(receiver.events.map(({ type }) => type)).toContain('shipment.status_changed')
  })

  test('exits 1 when something is undelivered', async () => {
    await using stage = await Stage.open()
    const { work, receiver } = stage
    receiver.answer = () => 500
    const ended = await work.run('once')
    expect(ended.code).toBe(1)
    expect((await work.run('deliveries', 'list', '--undelivered')).code).toBe(1)
  })

  test('exits 3 when a pass is incomplete', async () => {
    await using stage = await Stage.open()
    const { work, platform } = stage
    platform.replace = () => new Response('<html>maintenance</html>', { headers: { 'content-type': 'text/html' } })
    const ended = await work.run('once')
    expect(ended.code).toBe(3)
    expect(ended.stdout).toContain('incomplete')
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  })
})
