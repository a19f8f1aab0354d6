import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { queuedMs } from '../support/queued-ms.ts'
import type { RunningShipbell } from '../support/shipbell.ts'
import { Stage } from './stage.ts'
import { baselined, stopped, WAIT } from './workplace.ts'

const SECOND = 1_000
/** Beyond a minute it is told by `status`, too. */
const LOCKED_MS = 75 * SECOND

/** Another program that writes, and does not end that. */
async function whileLocked(path: string, work: () => Promise<void>): Promise<void> {
  const other = new Sqlite(path, { timeout: 5_000 })
  other.exec('BEGIN EXCLUSIVE')
  other.exec('UPDATE liveness SET checks = checks + 1')
  try {
    await work()
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
}

interface Scene extends Pick<Stage, 'work' | 'platform' | 'receiver'> {
  readonly stage: Stage
  readonly daemon: RunningShipbell
  readonly store: string
  readonly ask: (path: string) => Promise<Response>
}

async function onStage(act: (scene: Scene) => Promise<void>): Promise<void> {
  await using stage = await Stage.open()
  const { platform, receiver, work } = stage
  const port = await freePort()
  const config = readFileSync(`${work.folder}/shipbell.yaml`, 'utf8')
  work.write('shipbell.yaml', config.replace('127.0.0.1:0', `127.0.0.1:${port}`))
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it was', status: 'booked' }]
  const daemon = work.start('run')
  await baselined(receiver)
  const ask = async (path: string): Promise<Response> => await fetch(`http://127.0.0.1:${port}${path}`)
  await act({ stage, platform, receiver, work, daemon, store: `${work.folder}/shipbell.db`, ask })
  expect(receiver.problems).toEqual([])
}

function named({ platform }: Scene, name: string): void {
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name, status: 'booked' }]
}

/** A request of the daemon waits for its answer, which the result gives. */
async function underWay(scene: Scene): Promise<(status: number) => void> {
  const { receiver } = scene
  const { promise: answered, resolve: answer } = Promise.withResolvers<number>()
  const before = receiver.asked
  receiver.answer = () => answered
  named(scene, 'under way')
  await vi.waitFor(() => expect(receiver.asked).toBeGreaterThan(before), WAIT)
  return answer
}

/** How long the daemon itself took for the slowest of its answers. */
async function slowest({ ask, daemon }: Scene, forMs: number): Promise<number> {
  let most = 0
  for (const until = performance.now() + forMs; performance.now() < until;) {
    const [begun, queued] = [performance.now(), queuedMs(daemon.pid, process.pid)]
    expect((await ask('/healthz')).status).toBe(200)
    most = Math.max(most, performance.now() - begun - (queuedMs(daemon.pid, process.pid) - queued))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return most
}

test.concurrent('a store that another program has locked for long holds up nothing else, and goes on when that ends', async () => {
  await onStage(async (scene) => {
    const { ask, daemon, receiver, stage, store, work } = scene
    const answer = await underWay(scene)
    await whileLocked(store, async () => {
      answer(200)
      named(scene, 'meanwhile')
      expect(await slowest(scene, LOCKED_MS)).toBeLessThan(SECOND)
      expect((await ask('/readyz')).status).toBe(503)
      await daemon.prints(/"delivery\.stalled"/)
      await daemon.prints(/"store\.stalled"/)
      const { code, stdout } = await work.run('status', '--json')
      expect([code, JSON.parse(stdout).needs[0]]).toMatchObject([1, { kind: 'stalled', urgent: true }])
      expect((await ask('/deliveries')).status).toBe(200)
    })
    const told = (name: string): number =>
      receiver.events.filter((event) => JSON.stringify(event).includes(`"${name}"`)).length
    const free = performance.now()
    await vi.waitFor(() => expect(told('meanwhile')).toBe(1), { timeout: 60_000, interval: 20 })
    expect(performance.now() - free).toBeLessThan(20 * SECOND)
    await vi.waitFor(async () => expect((await ask('/readyz')).status).toBe(200), WAIT)
    expect((await stage.deliveries()).map(({ attempts, state }) => [attempts, state])).toEqual(
      (await stage.deliveries()).map(() => [1, 'delivered']),
    )
    expect((await work.run('status')).code).toBe(0)
    await stopped(daemon)
  })
})

test.concurrent('SIGTERM ends a daemon soon while another program has its store locked', async () => {
  await onStage(async (scene) => {
    const { daemon, store } = scene
    const answer = await underWay(scene)
    await whileLocked(store, async () => {
      answer(200)
      named(scene, 'meanwhile')
      await new Promise((resolve) => setTimeout(resolve, 3 * SECOND))
      const begun = performance.now()
      await stopped(daemon)
      expect(performance.now() - begun).toBeLessThan(10 * SECOND)
    })
  })
})
