import { rename, rm } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver } from '../support/loopback-receiver.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { baselined, configure, stopped, WAIT } from './workplace.ts'

interface Stage {
  readonly work: Workplace
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly daemon: RunningShipbell
  readonly store: string
  readonly ready: () => Promise<number>
}

/** A daemon that has learnt one shipment. */
async function withDaemon(act: (stage: Stage) => Promise<void>): Promise<void> {
  using work = new Workplace()
  await using platform = await LoopbackPlatform.start()
  await using receiver = await LoopbackReceiver.start()
  configure(work, { platform: platform.url, receiver: receiver.url })
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it was', status: 'booked' }]
  const daemon = work.start('run')
  const [, url] = await daemon.prints(/admin interface on (\S+)/)
  await baselined(receiver)
  const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status
  await vi.waitFor(async () => expect(await ready()).toBe(200), WAIT)
  await act({ work, platform, receiver, daemon, store: `${work.folder}/shipbell.db`, ready })
  await stopped(daemon)
  expect(receiver.problems).toEqual([])
}

function errors({ stdout, stderr }: RunningShipbell): readonly string[] {
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line.includes('"level":50'))
}

/** Nothing is asked or sent while the program runs several times over: each polls twenty times a second. */
async function isStill({ work, platform, receiver }: Stage): Promise<void> {
  // What was on its way has come by then.
  await work.run('check')
  const before = [platform.requests, receiver.asked]
  for (let run = 0; run < 2; run += 1) await work.run('check')
  expect([platform.requests, receiver.asked]).toEqual(before)
}

test('a store that is moved away halts the daemon, which goes on, with what changed meanwhile, when it is back', async () => {
  await withDaemon(async (stage) => {
    const { platform, receiver, daemon, store, ready } = stage
    await rename(store, `${store}.away`)
    await daemon.prints(/"store\.lost"/)
    expect(await ready()).toBe(503)
    platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it is', status: 'booked' }]
    await isStill(stage)
    await rename(`${store}.away`, store)
    await daemon.prints(/"store\.found"/)
    await vi.waitFor(() => expect(receiver.events.at(-1)?.type).toBe('shipment.updated'), WAIT)
    await vi.waitFor(async () => expect(await ready()).toBe(200), WAIT)
    expect(receiver.events).toHaveLength(4)
    expect(errors(daemon)).toEqual([expect.stringMatching(/deleted, moved or replaced .+: put that very file back/)])
  })
})

test('a store that is deleted, and another one in its place, halt the daemon for good, with one line', async () => {
  await withDaemon(async (stage) => {
    const { work, daemon, store, ready } = stage
    for (const name of [store, `${store}-wal`, `${store}-shm`]) await rm(name)
    await daemon.prints(/"store\.lost"/)
    await isStill(stage)
    expect(await ready()).toBe(503)
    work.write('shipbell.db', '')
    await isStill(stage)
    expect(await ready()).toBe(503)
    expect(errors(daemon)).toHaveLength(1)
  })
})

test('a lock that is deleted halts the daemon: another one could take the store', async () => {
  await withDaemon(async (stage) => {
    await rm(`${stage.store}.lock`)
    await stage.daemon.prints(/"store\.lost"/)
    await isStill(stage)
    expect(await stage.ready()).toBe(503)
    expect(errors(stage.daemon)).toEqual([expect.stringMatching(/The lock .+: stop all of them, and start one/)])
  })
})
