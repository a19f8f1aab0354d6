import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { queuedMs } from '../support/queued-ms.ts'
import { Stage } from './stage.ts'
import { baselined, stopped, WAIT_BY_COMMAND } from './workplace.ts'

const LEASE_MS = 15_000
const MINUTE = 60_000

interface Stalling {
  readonly how: string
  readonly begin: readonly string[]
  readonly end: readonly string[]
  readonly withinMs: number
}

const STALLS: readonly Stalling[] = [
  {
    how: 'a COMMIT that waits for a standby that is not there',
    begin: [`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`, 'SELECT pg_reload_conf()'],
    end: ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'],
    withinMs: LEASE_MS,
  },
  {
    how: 'outcomes that the database refuses',
    begin: [
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$`,
      'CREATE TRIGGER refused BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION refuse()',
    ],
    end: ['DROP TRIGGER refused ON attempts', 'DROP FUNCTION refuse'],
    withinMs: MINUTE,
  },
]

async function ask(server: PostgresServer, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

test.concurrent.each(STALLS)('$how makes nobody wait in silence, and loses nothing', async (stall) => {
  await using server = await PostgresServer.start({ durable: true })
  await using stage = await Stage.open()
  const port = await freePort()
  stage.configure({ more: 'storage: { url: "${DATABASE_URL}" }' })
  const { platform, receiver, work } = stage
  const config = readFileSync(`${work.folder}/shipbell.yaml`, 'utf8')
  work.write('shipbell.yaml', config.replace('127.0.0.1:0', `127.0.0.1:${port}`))
  work.environment = { DATABASE_URL: server.url() }
  const ready = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
  const named = (name: string): void =>
    void (platform.shipments = [{ platform_shipment_id: 'SHP 1', name, status: 'booked' }])
  const heard = (name: string): number =>
    receiver.events.filter((event) => JSON.stringify(event).includes(`"${name}"`)).length
  named('as it was')
  const daemon = work.start('run')
  await baselined(receiver)
  expect(await ready()).toBe(200)

  await ask(server, stall.begin)
  const [begun, queued] = [performance.now(), queuedMs(daemon.pid, process.pid)]
  named('meanwhile')
  await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 2 * MINUTE, interval: 100 })
  const took = performance.now() - begun
  expect(took - (queuedMs(daemon.pid, process.pid) - queued)).toBeLessThan(stall.withinMs + 5_000)
  if (stall.withinMs > LEASE_MS) expect(took).toBeGreaterThan(stall.withinMs - 5_000)
  await daemon.prints(/"store\.stalled"/)
  await vi.waitFor(async () => {
    const { code, stdout } = await work.run('status', '--json')
    const { needs }: { needs: readonly { kind: string; urgent: boolean }[] } = JSON.parse(stdout)
    expect(needs[0]).toMatchObject({ kind: 'stalled', urgent: true })
    expect(code).toBe(1)
  }, WAIT_BY_COMMAND)
  // Retries double once for each pause, not for each attempt that ends.
  const pauses = [...daemon.stderr.matchAll(/"retry_in_ms":(\d+)/g)].map(([, ms]) => Number(ms))
  expect(pauses).toEqual(pauses.map((_, nth) => Math.min(1_000 * 2 ** nth, 30_000)))

  await ask(server, stall.end)
  await daemon.prints(/"store\.unstalled"/)
  await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 2 * MINUTE, interval: 100 })
  await vi.waitFor(() => expect(heard('meanwhile')).toBeGreaterThan(0), { timeout: 2 * MINUTE, interval: 100 })
  await vi.waitFor(async () => expect((await work.run('status')).code).toBe(0), WAIT_BY_COMMAND)
  expect(await stage.deliveries('--undelivered')).toEqual([])
  await stopped(daemon)
})
