import { createHmac, createSecretKey } from 'node:crypto'
import { Pool } from 'undici'
import { systemClock } from '../../src/clock.ts'
import { field, isJsonArray, type Json } from '../../src/model/json.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'
import { quantile } from './measure.ts'
import { type ChangingPeer, startChangingPeer } from './start-peer.ts'

const SHIPMENTS = 100
const CHANGES = 10
const EVERY_MS = 100
const PASSES = 300
const WARM_UP_MS = 10_000
const SOCKETS = 8
const KEY = Buffer.from('a benchmark secret of 32 bytes !')

/**
 * From the platform's answer to the receiver having the event, at up to 100 events/s, on the clock of the process that gives the one and
 * takes the other: the real program, and beside it a loop that knows what changed and POSTs the changed records as soon as the page is there, told of nothing before.
 */
export async function benchLatency(): Promise<string> {
  using peer = await startChangingPeer(SHIPMENTS, CHANGES)
  const bare = await bareLatencies(peer)
  const own = await ownLatencies(peer)
  if (own.length === 0 || own.some(Number.isNaN)) throw new Error(`${own.length} events arrived`)
  const rate = (own.length * 1_000) / (PASSES * EVERY_MS)
  return (
    `answer to receiver at ${rate.toFixed(0)} events/s, p50 / p99 of ${own.length}: ${emitted(own)} against ` +
    `${emitted(bare)} bare (bar 7 / 20 ms, aim 4 / 12 ms)`
  )
}

/** The program has learnt the page, and run for a while. */
async function ownLatencies(peer: ChangingPeer): Promise<readonly number[]> {
  using work = new Workplace()
  work.write('shipbell.yaml', configOf(peer.url))
  const daemon = work.start('run')
  await systemClock.sleep(WARM_UP_MS)
  await peer.latencies()
  await systemClock.sleep(PASSES * EVERY_MS)
  const latencies = await peer.latencies()
  daemon.kill('SIGTERM')
  const { code, stderr } = await daemon.ended
  if (code !== 0) throw new Error(stderr)
  return latencies
}

/** So many accounts that one of their pages is read every tenth of a second. */
function configOf(url: string): string {
  const accounts = Array.from(
    { length: 1_000 / EVERY_MS },
    (_, n) => `  account-${n}:
    base_url: ${url}/account-${n}
    api_key: bench-${n}
    budget: { requests: 2, per: 1s, concurrency: 1 }
    watch: { shipments: { every: 1s } }
`,
  )
  return `accounts:
${accounts.join('')}\
subscriptions:
  erp: { url: "${url}/hook", secret: ${SECRET}, events: ["*"], concurrency: ${SOCKETS} }
delivery: { allow_networks: [127.0.0.0/8] }
storage: { path: shipbell.db }
http: { listen: "127.0.0.1:0" }
log: { level: info }
`
}

async function bareLatencies(peer: ChangingPeer): Promise<readonly number[]> {
  const pages = new Pool(peer.url, { connections: 1 })
  const hooks = new Pool(peer.url, { connections: SOCKETS })
  let pass = 0
  await often(async () => {
    pass += 1
    const { body } = await pages.request({ path: '/bare/v1/shipments?skip=0&take=100', method: 'GET' })
    const page: Json = JSON.parse(await body.text())
    const changed = (isJsonArray(page) ? page : []).filter((each) => isChange(each, pass))
    await Promise.all(changed.map(async (object) => post(hooks, JSON.stringify({ data: { object } }))))
  })
  await Promise.all([pages.close(), hooks.close()])
  return await peer.latencies()
}

function isChange(shipment: Json, pass: number): boolean {
  return field(shipment, 'specific_instructions') === `change ${pass}`
}

async function post(pool: Pool, body: string): Promise<void> {
  const timestamp = String(Math.floor(systemClock.now() / 1_000))
  const signature = createHmac('sha256', createSecretKey(KEY)).update(`evt.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const response = await pool.request({ path: '/', method: 'POST', headers, body })
  await response.body.dump()
}

/** Every tenth of a second, and a moment for the last events to arrive. */
async function often(work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  for (let pass = 0; pass < PASSES; pass += 1) {
    await systemClock.sleep(startedAt + pass * EVERY_MS - performance.now())
    await work()
  }
  await systemClock.sleep(10 * EVERY_MS)
}

function emitted(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)} ms`
}
