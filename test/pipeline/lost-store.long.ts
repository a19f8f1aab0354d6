import { rename, rm } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import type { RunningShipbell } from '../support/shipbell.ts'
import { Stage } from './stage.ts'
import { stopped, WAIT } from './workplace.ts'

interface Scene extends Pick<Stage, 'work' | 'platform' | 'receiver'> {
  readonly daemon: RunningShipbell
  readonly store: string
  readonly ready: () => Promise<number>
}

/** A daemon that has learnt one shipment. */
async function withDaemon(act: (scene: Scene) => Promise<void>): Promise<void> {
  await using stage = await Stage.open()
  const { work, platform, receiver } = stage
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it was', status: 'booked' }]
  const daemon = await stage.startLearnt()
  const [, url] = await daemon.prints(/admin interface on (\S+)/)
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
async function isStill({ work, platform, receiver }: Scene): Promise<void> {
  // What was on its way has come by then.
  await work.run('check')
  const before = [platform.requests, receiver.asked]
  for (let run = 0; run < 2; run += 1) await work.run('check')
  expect([platform.requests, receiver.asked]).toEqual(before)
}

test('a store that is moved away halts the daemon, which goes on, with what changed meanwhile, when it is back', async () => {
  await withDaemon(async (scene) => {
    const { platform, receiver, daemon, store, ready } = scene
    await rename(store, `${store}.away`)
    await daemon.prints(/"store\.lost"/)
    expect(await ready()).toBe(503)
    platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it is', status: 'booked' }]
    await isStill(scene)
    await rename(`${store}.away`, store)
    await daemon.prints(/"store\.found"/)
    await vi.waitFor(() => expect(receiver.events.at(-1)?.type).toBe('shipment.updated'), WAIT)
    await vi.waitFor(async () => expect(await ready()).toBe(200), WAIT)
    expect(receiver.events).toHaveLength(4)
    expect(errors(daemon)).toEqual([expect.stringMatching(/deleted, moved or replaced .+: put that very file back/)])
  })
})

test('a store that is deleted, and another one in its place, halt the daemon for good, with one line', async () => {
  await withDaemon(async (scene) => {
    const { work, daemon, store, ready } = scene
    for (const name of [store, `${store}-wal`, `${store}-shm`]) await rm(name)
    await daemon.prints(/"store\.lost"/)
    await isStill(scene)
    expect(await ready()).toBe(503)
    work.write('shipbell.db', '')
    await isStill(scene)
    expect(await ready()).toBe(503)
    expect(errors(daemon)).toHaveLength(1)
  })
})

test('a lock that is deleted halts the daemon: another one could take the store', async () => {
  await withDaemon(async (scene) => {
    await rm(`${scene.store}.lock`)
    await scene.daemon.prints(/"store\.lost"/)
    await isStill(scene)
    expect(await scene.ready()).toBe(503)
    expect(errors(scene.daemon)).toEqual([expect.stringMatching(/The lock .+: stop all of them, and start one/)])
  })
})
