import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { Workplace } from '../support/shipbell.ts'
import { costOf } from './measure.ts'
import { startPeer } from './start-peer.ts'

const SHIPMENTS = 1_000
/** The first minute spends the whole budget at once, and learns the baseline: that is not idleness. */
const SETTLING_MS = 75_000
const MEASURED_MS = 60_000
/** Of `/proc`, on every Linux that Node runs on. */
const TICK_MS = 10

/** CPU of the daemon while nothing changes, beside a bare loop that sends as many requests at an even pace. Linux only. */
export async function benchIdle(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  using work = new Workplace()
  work.write('shipbell.yaml', configuration(peer.url))
  const daemon = work.start('run')
  await daemon.prints(/poll\.completed/)
  await delay(SETTLING_MS)
  const before = cpuMsOf(daemon.pid)
  const bare = await costOf(async () => fetchAndDiscard(peer.url))
  const ours = cpuMsOf(daemon.pid) - before
  daemon.kill('SIGTERM')
  await daemon.ended
  const [busy, least] = [(100 * ours) / bare.wallMs, (100 * bare.cpuMs) / bare.wallMs]
  return (
    `idle, ${SHIPMENTS} shipments, 60 pages a minute: ${busy.toFixed(2)} % of one core ` +
    `against ${least.toFixed(2)} % bare (bar 1 %, aim 0.3 %)`
  )
}

/** So short an `every` that the budget is spent on pages, the dearest requests there are. */
function configuration(url: string): string {
  return `accounts:
  acme:
    base_url: ${url}
    api_key: bench
    budget: { requests: 60, per: 1m, concurrency: 4 }
    watch: { shipments: { every: 10s } }
subscriptions: {}
http: { listen: "127.0.0.1:0" }
`
}

/** User and system time, of all threads. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function fetchAndDiscard(url: string): Promise<void> {
  const pool = new Pool(url, { connections: 1 })
  for (let sent = 0; sent < MEASURED_MS / 1_000; sent += 1) {
    const skip = (sent % 10) * 100
    const { body } = await pool.request({ path: `/v1/shipments?skip=${skip}&take=100`, method: 'GET' })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
    await delay(1_000)
  }
  await pool.close()
}
