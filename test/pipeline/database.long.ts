import { existsSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import type { RunningShipbell } from '../support/shipbell.ts'
import { listed, Stage } from './stage.ts'
import { baselined, stopped, WAIT } from './workplace.ts'

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const HOUR_MS = 3_600_000

interface Scene extends Pick<Stage, 'work' | 'platform' | 'receiver'> {
  readonly server: PostgresServer
  readonly proxy: DatabaseProxy
  readonly health: (path: string) => Promise<number>
}

/** Everything but a daemon. Its database is reached through a proxy, with a password that nobody asks for. */
async function onStage(act: (scene: Scene) => Promise<void>): Promise<void> {
  await using server = await PostgresServer.start({ durable: true })
  await using proxy = await DatabaseProxy.start(server.url())
  await using stage = await Stage.open()
  const port = await freePort()
  stage.configure({ more: 'storage: { url: "${DATABASE_URL}" }' })
  const { work, platform, receiver } = stage
  work.write(
    'shipbell.yaml',
    readFileSync(`${work.folder}/shipbell.yaml`, 'utf8').replace('127.0.0.1:0', `127.0.0.1:${port}`),
  )
  work.environment = { DATABASE_URL: proxy.url.replace('@', ':pa55-word@') }
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name: 'as it was', status: 'booked' }]
  const health = async (path: string): Promise<number> =>
    await fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
  await act({ work, platform, receiver, server, proxy, health })
  expect(receiver.problems).toEqual([])
}

async function learnt({ receiver, work }: Scene): Promise<RunningShipbell> {
  const daemon = work.start('run')
  await baselined(receiver)
  return daemon
}

/** One change, which is heard once. */
async function isHeard({ platform, receiver }: Scene, name: string): Promise<void> {
  platform.shipments = [{ platform_shipment_id: 'SHP 1', name, status: 'booked' }]
  const told = (): number => receiver.events.filter((event) => JSON.stringify(event).includes(`"${name}"`)).length
  await vi.waitFor(() => expect(told()).toBeGreaterThan(0), WAIT)
}

function ids({ receiver }: Scene): readonly string[] {
  return receiver.received.map(({ id }) => id)
}

test('run waits at its start for a database that is away, and lives; commands say so in one sentence', async () => {
  await onStage(async (scene) => {
    const { health, proxy, receiver, work } = scene
    proxy.isAway = true
    const status = await work.run('status')
    expect(status).toMatchObject({ code: 3, stdout: '' })
    expect(status.stderr).toMatch(
      /^The database 127\.0\.0\.1:\d+\/postgres cannot be reached \([^)]+\): start it, or correct storage\.url\.\n$/,
    )
    expect((await work.run('once')).code).toBe(3)
    const impatient = work.start('run')
    await impatient.prints(/"store\.awaited"/)
    await stopped(impatient)
    const daemon = work.start('run')
    await daemon.prints(/"store\.awaited"/)
    expect([await health('/healthz'), await health('/readyz'), await health('/')]).toEqual([200, 503, 503])
    proxy.isAway = false
    await baselined(receiver)
    await vi.waitFor(async () => expect(await health('/readyz')).toBe(200), WAIT)
    await isHeard(scene, 'as it is')
    await stopped(daemon)
    const said = `${daemon.stdout}${daemon.stderr}${impatient.stderr}${status.stderr}`
    expect(said).not.toContain('pa55-word')
    expect(said.match(/store\.awaited/g)).toHaveLength(2)
  })
})

test('a database that crashes, is cut off, or falls silent ends no worker, and nothing is lost or told under a second id', async () => {
  await onStage(async (scene) => {
    const { health, proxy, server, work } = scene
    const daemon = await learnt(scene)
    await isHeard(scene, 'before the crash')
    await server.stop('SIGQUIT')
    const crashedAt = performance.now()
    await vi.waitFor(async () => expect(await health('/readyz')).toBe(503), WAIT)
    expect(performance.now() - crashedAt).toBeLessThan(3_000)
    await daemon.prints(/"store\.lost"/)
    expect(await health('/healthz')).toBe(200)
    await server.start()
    await daemon.prints(/"store\.found"/)
    await isHeard(scene, 'after the crash')
    for (let cut = 0; cut < 20; cut += 1) {
      proxy.faults = [{ swallowsCommit: true }, { cutAfter: 100 * cut + 1 }]
      proxy.cut()
      await isHeard(scene, `after cut ${cut}`)
    }
    proxy.faults = []
    proxy.isBlackHole = true
    const silentAt = performance.now()
    await vi.waitFor(async () => expect(await health('/readyz')).toBe(503), WAIT)
    expect(performance.now() - silentAt).toBeLessThan(4_000)
    await daemon.prints(/"worker\.lost"/)
    proxy.isBlackHole = false
    proxy.cut()
    await isHeard(scene, 'after the silence')
    const told = ids(scene)
    const events = listed((await work.run('events', 'list', '--json', '--limit', '500')).stdout)
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(told))
    await stopped(daemon)
  })
})

test('a schema that a worker cannot go on beside ends it', async () => {
  await onStage(async (scene) => {
    const daemon = await learnt(scene)
    const client = new Client({ connectionString: scene.server.url() })
    await client.connect()
    await client.query('INSERT INTO schema_versions (version, breaking) VALUES (8999, false)')
    await isHeard(scene, 'beside a newer schema')
    await client.query('INSERT INTO schema_versions (version, breaking) VALUES (9000, true)')
    await client.end()
    const { code, stderr } = await daemon.ended
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /has the schema of a newer Shipbell, beside which this one cannot go on: update Shipbell\.\n$/,
    )
    expect((await scene.work.run('run')).code).toBe(3)
  })
})

test('a worker that stood still while the store was moved ends, and says where to', async () => {
  await onStage(async (scene) => {
    const { server, work } = scene
    const daemon = await learnt(scene)
    daemon.kill('SIGSTOP')
    const client = new Client({ connectionString: server.url() })
    await client.connect()
    await client.query('UPDATE workers SET expires_at = 0')
    await client.end()
    expect((await work.run('store', 'copy', '--to', 'moved.db')).code).toBe(0)
    daemon.kill('SIGCONT')
    const { code, stderr } = await daemon.ended
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /was moved to .+moved\.db: name that in storage\.path; here its history can still be read\.\n$/,
    )
    expect(stderr).not.toContain('pa55-word')
  })
})

test('what belongs to a file is refused where the store is in a database', async () => {
  await onStage(async ({ work }) => {
    expect((await work.run('status')).stderr).toContain('There is no store in the database')
    for (const command of ['backup', 'restore']) {
      const { code, stderr } = await work.run(command, 'copy.db')
      expect(code).toBe(2)
      expect(stderr).toMatch(/^The store is in the database 127\.0\.0\.1:\d+\/postgres: back it up with `pg_dump`/)
    }
  })
})

test.runIf(existsSync(FAKETIME))('workers and commands whose clocks are an hour apart agree on the time', async () => {
  await onStage(async (scene) => {
    const { work } = scene
    const right = work.environment
    work.environment = { ...right, LD_PRELOAD: FAKETIME, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const daemon = await learnt(scene)
    // Its receiver takes no signature of another hour.
    await isHeard(scene, 'an hour ahead')
    const deliveries = listed((await work.run('deliveries', 'list', '--json')).stdout)
    expect(deliveries.length).toBeGreaterThan(3)
    const [, since = ''] = /"since": *"([^"]+)"/.exec((await work.run('status', '--json')).stdout) ?? []
    expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(HOUR_MS / 2)
    work.environment = right
    expect((await work.run('deliveries', 'retry', '--subscription', 'erp', '--since', '1d')).code).toBe(0)
    await stopped(daemon)
  })
})
