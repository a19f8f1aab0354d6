import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { queuedMs } from '../support/queued-ms.ts'
import { Workplace } from '../support/shipbell.ts'

const TOKEN = 'a-token-of-the-test-0123456789'
const HANGING = 300
const HEALTHY = 20
const SHIPMENTS = 15
const WAIT = { timeout: 90_000, interval: 250 }
const canLimit = spawnSync('prlimit', ['--version']).status === 0

/** Takes every connection and never says a word; returns its port. */
async function hangingServer(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.resume()
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function shipment(nth: number, round: number): JsonObject {
  return { platform_shipment_id: `SHP-${nth}`, status: 'booked', name: `Name ${round}` }
}

function hook(name: string, port: string | number): string {
  return `  ${name}: { url: "http://127.0.0.1:${port}/", secret: ${SECRET}, events: [shipment.updated], timeout: 5s }`
}

function configuration(ports: { readonly platform: string; readonly ok: string; readonly hanging: number }): string {
  const hanging = Array.from({ length: HANGING }, (_, n) => hook(`hangs${n}`, ports.hanging))
  const healthy = Array.from({ length: HEALTHY }, (_, n) => hook(`ok${n}`, ports.ok))
  return `accounts:
  acme:
    base_url: http://127.0.0.1:${ports.platform}
    api_key: ${API_KEY}
    budget: { requests: 1000, per: 1s }
    watch: { shipments: { every: 500ms } }
subscriptions:
${[...hanging, ...healthy].join('\n')}
  ops: { url: "http://127.0.0.1:${ports.ok}/ops", secret: ${SECRET}, events: ["account.*"] }
delivery: { allow_networks: [127.0.0.0/8], retry: [1s, 1s, 1s] }
http: { listen: 127.0.0.1:0, token: ${TOKEN} }
`
}

test.skipIf(!canLimit).each([256, 1_024])(
  'with %i descriptors and hundreds of endpoints that hang nobody else is charged',
  async (nofile) => {
    await using platform = await LoopbackPlatform.start()
    await using receiver = await LoopbackReceiver.start()
    platform.shipments = Array.from({ length: SHIPMENTS }, (_, nth) => shipment(nth, 0))
    using workplace = new Workplace()
    const hanging = await hangingServer()
    workplace.write(
      'shipbell.yaml',
      configuration({ platform: new URL(platform.url).port, ok: new URL(receiver.url).port, hanging }),
    )
    workplace.before = ['prlimit', `--nofile=${nofile}:${nofile}`]
    const daemon = workplace.start('run')
    const [, admin = ''] = await daemon.prints(/admin interface on (http:\S+)/)
    await vi.waitFor(
      () => expect(receiver.events.map(({ type }) => type)).toContain('account.baseline_completed'),
      WAIT,
    )

    const slowest = { ms: 0 }
    const stop = new AbortController()
    const watched = watchHealth({ admin, pid: daemon.pid }, slowest, stop.signal)
    platform.shipments = Array.from({ length: SHIPMENTS }, (_, nth) => shipment(nth, 1))
    const updates = () => receiver.received.length
    await vi.waitFor(() => expect(updates()).toBeGreaterThanOrEqual(1 + HEALTHY * SHIPMENTS), WAIT)
    platform.shipments = Array.from({ length: SHIPMENTS }, (_, nth) => shipment(nth, 2))
    await vi.waitFor(() => expect(updates()).toBeGreaterThanOrEqual(1 + 2 * HEALTHY * SHIPMENTS), WAIT)
    stop.abort()
    await watched

    console.log('slowest', slowest.ms)
    expect(slowest.ms).toBeLessThan(1_000)
    expect(updates()).toBe(1 + 2 * HEALTHY * SHIPMENTS)
    expect(receiver.events.map(({ type }) => type)).not.toContain('account.unreachable')
    const { stdout } = await workplace.run('deliveries', 'list', '--limit', '1000', '--json')
    const listed: readonly JsonObject[] = JSON.parse(stdout)
    const errors = listed.map((row) => JSON.stringify(row.last_error))
    expect(errors.filter((error) => /EMFILE|ENFILE|descriptor/.test(error))).toEqual([])
    for (let n = 0; n < HEALTHY; n += 1) {
      const rows = await deliveriesOf(admin, `ok${n}`)
      expect(rows).toHaveLength(2 * SHIPMENTS)
      for (const row of rows) expect(row).toMatchObject({ state: 'delivered', attempts: 1 })
    }
    const log = daemon.stdout + daemon.stderr
    expect(log.match(/"sending\.paused"/g) ?? []).toHaveLength(1)
    expect(log).toMatch(new RegExp(`"nofile":${nofile}\\b`))
    expect((await workplace.run('status')).stdout.replaceAll(/\s+/g, ' ')).toContain(`(nofile), ${nofile},`)
  },
)

/** Every delivery of a subscription, as the daemon lists it. */
async function deliveriesOf(admin: string, subscription: string): Promise<readonly JsonObject[]> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const answer = await fetch(`${admin}/api/v1/deliveries?subscription=${subscription}&limit=100`, { headers })
  const { items }: { readonly items: readonly JsonObject[] } = JSON.parse(await answer.text())
  return items
}

/** Asks again and again whether the process is well; throws where it does not say so. */
async function watchHealth(
  { admin, pid }: { readonly admin: string; readonly pid: number },
  slowest: { ms: number },
  signal: AbortSignal,
): Promise<void> {
  const queued = (): number => queuedMs(pid, process.pid)
  while (!signal.aborted) {
    const [from, queuedBefore] = [performance.now(), queued()]
    const answer = await fetch(`${admin}/healthz`, { headers: { connection: 'close' } })
    expect(answer.status).toBe(200)
    const own = performance.now() - from - (queued() - queuedBefore)
    slowest.ms = Math.max(slowest.ms, own)
    await new Promise((resolve) => void setTimeout(resolve, 100))
  }
}
