import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { Workplace } from '../support/shipbell.ts'
import { costOf } from './measure.ts'
import { cpuMsOf } from './process-cpu.ts'
import { startPeer } from './start-peer.ts'

const SHIPMENTS = 1_000
/** What `once` spent counts for two minutes at most; what is learnt in them is no idleness. */
const SETTLING_MS = 150_000
const MEASURED_MS = 60_000

/** CPU of the daemon while nothing changes, beside a bare loop that asks for the same at an even pace. Linux only. */
export async function benchIdle(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  using work = new Workplace()
  configure(work, peer.url, 100_000)
  const { code, stderr } = await work.run('once')
  if (code !== 0) throw new Error(stderr)
  configure(work, peer.url, 60)
  const daemon = work.start('run')
  await delay(SETTLING_MS)
  const asked = await requestsOf(work)
  const before = cpuMsOf(daemon.pid)
  const bare = await costOf(async () => fetchAndDiscard(peer.url))
  const ours = cpuMsOf(daemon.pid) - before
  const requests = (await requestsOf(work)) - asked
  daemon.kill('SIGTERM')
  await daemon.ended
  const [busy, least] = [(100 * ours) / bare.wallMs, (100 * bare.cpuMs) / bare.wallMs]
  return (
    `idle, ${SHIPMENTS} shipments, ${requests} requests in a minute: ${busy.toFixed(2)} % of one core ` +
    `against ${least.toFixed(2)} % bare (bar 1 %, aim 0.3 %)`
  )
}

/** Lists as often as by default, and so short an `every` of tracking that all of the budget is spent. */
function configure(work: Workplace, url: string, requests: number): void {
  work.write(
    'shipbell.yaml',
    `accounts:
  acme:
    base_url: ${url}
    api_key: bench
    budget: { requests: ${requests}, per: 1m, concurrency: 4 }
    watch: { shipments: { every: 2m }, tracking: { every: 1m } }
subscriptions: {}
http: { listen: "127.0.0.1:0" }
`,
  )
}

/** Requests of the last hour, as the program counts them. */
async function requestsOf(work: Workplace): Promise<number> {
  const { stdout } = await work.run('status', '--json')
  return JSON.parse(stdout).accounts[0].budget_use.requests_last_hour
}

async function fetchAndDiscard(url: string): Promise<void> {
  const pool = new Pool(url, { connections: 1 })
  for (let sent = 0; sent < MEASURED_MS / 1_000; sent += 1) {
    const isPage = sent % 11 === 0
    const path = isPage ? `/v1/shipments?skip=${(sent / 11) * 100}&take=100` : `/v1/tracking/SHP-${sent}`
    const { body } = await pool.request({ path, method: 'GET' })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
    await delay(1_000)
  }
  await pool.close()
}
