import { describe, expect, test, vi } from 'vitest'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { listed, Stage } from './stage.ts'
import { killed, stopped, WAIT } from './workplace.ts'

describe.concurrent('the ledger proves it', () => {
  test('a new subscription is backfilled from the log by the running daemon, in event order, once', async () => {
    await using stage = await Stage.open()
    const { work, platform, receiver: erp } = stage
    await using late = await LoopbackReceiver.start()
    const names = Array.from({ length: 30 }, (_, index) => `SHP-${index}`)
    const render = (status: string) => names.map((id) => ({ platform_shipment_id: id, status }))
    platform.shipments = render('booked')
    const first = await stage.startLearnt()
    platform.shipments = render('in_progress')
    await vi.waitFor(() => expect(erp.events.length).toBe(33), WAIT)
    await stopped(first)
    const added = `  late: { url: "${late.url}", secret: ${SECRET}, events: ["shipment.*"], concurrency: 1 }`
    stage.configure({ subscriptions: added })
    const daemon = work.start('run')
    await daemon.prints(/admin interface on/)
    const args = ['deliveries', 'retry', '--subscription', 'late', '--since', '1h', '--missing']
    const planned = await work.run(...args, '--dry-run', '--json')
    const done = await work.run(...args, '--json')
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(listed(done.stdout).map(({ event_id }) => event_id)).toEqual(
      listed(planned.stdout).map(({ event_id }) => event_id),
    )
    const heard = late.received.map(({ payload }) => payload.sequence)
    expect(heard).toEqual(erp.events.map(({ sequence }) => sequence).filter((sequence) => sequence > 3))
    expect((await work.run(...args)).stdout).toBe('Nothing to retry.\n')
    expect((await work.run('deliveries', 'list', '--undelivered')).code).toBe(0)
    expect([late.received.length, late.problems]).toEqual([30, []])
    await stopped(daemon)
  })

  test('a daemon that dies while a retry waits for it leaves the sending to the retry', async () => {
    await using stage = await Stage.open()
    const { work, receiver } = stage
    const daemon = await stage.startLearnt()
    const never = Promise.withResolvers<number>()
    receiver.answer = () => never.promise
    const [row] = await stage.deliveries()
    const retry = work.start('deliveries', 'retry', row?.id ?? '', '--json')
    await vi.waitFor(() => expect(receiver.asked).toBe(4), WAIT)
    await killed(daemon)
    receiver.answer = () => 200
    never.resolve(500)
    const ended = await retry.ended
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(listed(ended.stdout)).toMatchObject([{ id: row?.id, state: 'delivered' }])
  })

  test('an endpoint is tested through the running daemon, once, whatever comes of it', async () => {
    await using stage = await Stage.open()
    const { work, receiver } = stage
    const daemon = await stage.startLearnt()
    const good = await work.run('subscriptions', 'test', 'erp', '--json')
    expect([good.code, good.stderr]).toEqual([0, ''])
    expect(JSON.parse(good.stdout)).toMatchObject({ subscription: 'erp', delivered: true, status: 200 })
    expect(receiver.received.at(-1)?.payload).toMatchObject({ type: 'shipbell.test', account: null })
    receiver.answer = () => 500
    const bad = await work.run('subscriptions', 'test', 'erp')
    expect([bad.code, bad.stderr]).toEqual([1, ''])
    expect(bad.stdout).toMatch(/^erp: NOT delivered, \S+ answered 500/)
    expect(receiver.asked).toBe(5)
    expect(receiver.problems).toEqual([])
    await stopped(daemon)
  })

  test('payloads expire and the ledger stays', async () => {
    await using stage = await Stage.open({ more: 'retention: { payloads: 0s }' })
    const { work, platform, receiver } = stage
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
    await work.run('once')
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
    expect((await work.run('once')).code).toBe(0)
    const rows = await stage.deliveries()
    expect(rows.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
    const id = rows.at(-1)?.event_id ?? ''
    const shown = await work.run('events', 'show', id)
    expect(shown.stdout).toContain('(retention.payloads): what it told is gone, who got it stays.')
    expect(JSON.parse((await work.run('events', 'show', id, '--json')).stdout)).toMatchObject({
      payload: { id, type: 'shipment.status_changed', data: {}, expired: true },
      before: null,
      after: null,
    })
    expect((await work.run('events', 'list')).stdout).toMatch(
      /shipment\.status_changed {2}evt_\w{10} {2}acme {2}SHP-1 {2}\(payload expired\)\n/,
    )
    const retry = await work.run('deliveries', 'retry', id)
    expect([retry.code, retry.stderr]).toEqual([
      1,
      '1 event cannot be sent: its payload has expired (retention.payloads).\n',
    ])
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'finished' }]
    expect((await work.run('once')).code).toBe(0)
    expect(receiver.events.at(-1)?.subject).toMatchObject({ version: 2, previous_event_id: id })
  })
})
