import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { Workplace, type RunningShipbell } from '../../support/shipbell.ts'
import { quantile } from '../measure.ts'
import { threadsCpuMs } from '../process-cpu.ts'
import { startPeer } from '../start-peer.ts'

const SHIPMENTS = 10_000
/** The search's index of what the first pass learnt is made beside some fifteen of them. */
const WARM_PASSES = 20
const PASSES = 15
const ENDED = /"msg":"poll\.completed"/g

/**
 * Processor time of the whole daemon from the end of one unchanged pass to the end of the next, beside that of a process that GETs the
 * same pages and throws them away, in turns. `--other=FOLDER` measures another checkout in the same run. Linux only.
 */
export async function benchPass(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  const folder = process.argv.find((word) => word.startsWith('--other='))?.slice('--other='.length)
  await using bare = await startBare(peer.url)
  await using own = await startDaemon(peer.url)
  await using other = folder === undefined ? null : await startDaemon(peer.url, path.resolve(folder, 'src/bin.js'))
  const sides = [own, bare, ...(other === null ? [] : [other])].map((side) => ({ side, times: new Array<number>() }))
  for (let turn = 0; turn < WARM_PASSES + PASSES; turn += 1) {
    for (const { side, times } of sides) {
      const spent = await side.pass()
      if (turn >= WARM_PASSES) times.push(spent)
    }
  }
  const [ours = Number.NaN, least = Number.NaN, theirs] = sides.map(({ times }) => quantile(times, 0.5))
  const beside = (ms: number): string => `${ms.toFixed(1)} ms CPU, ${(ms / least).toFixed(2)}×`
  const there = theirs === undefined ? '' : `; ${folder}: ${beside(theirs)}`
  return `unchanged pass of the daemon, ${SHIPMENTS} shipments: ${beside(ours)} the bare ${least.toFixed(1)} ms (bar 1.1×)${there}`
}

interface Side extends AsyncDisposable {
  /** Processor time of one pass in milliseconds. */
  readonly pass: () => Promise<number>
}

async function startBare(url: string): Promise<Side> {
  const script = fileURLToPath(new URL('./bare-pass.ts', import.meta.url))
  const child = fork(script, [url, String(SHIPMENTS)])
  await once(child, 'message')
  return {
    pass: async () => {
      const before = threadsCpuMs(child.pid ?? 0)
      child.send('pass')
      await once(child, 'message')
      return threadsCpuMs(child.pid ?? 0) - before
    },
    [Symbol.asyncDispose]: async () => child.disconnect(),
  }
}

async function startDaemon(url: string, entry?: string): Promise<Side> {
  const work = new Workplace()
  if (entry !== undefined) work.entry = entry
  work.write('shipbell.yaml', CONFIG.replace('URL', url))
  work.environment = { SHIPBELL_BENCH_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }
  const daemon = work.start('run')
  await nextPass(daemon)
  return {
    pass: async () => {
      await nextPass(daemon)
      const before = threadsCpuMs(daemon.pid)
      await nextPass(daemon)
      return threadsCpuMs(daemon.pid) - before
    },
    [Symbol.asyncDispose]: async () => {
      daemon.kill('SIGTERM')
      await daemon.ended
      work[Symbol.dispose]()
    },
  }
}

async function nextPass(daemon: RunningShipbell): Promise<void> {
  const passes = (): number => [...`${daemon.stdout}${daemon.stderr}`.matchAll(ENDED)].length
  const before = passes()
  await daemon.finds(() => (passes() > before ? true : null), 'a completed pass')
}

const CONFIG = `accounts:
  acme:
    base_url: URL
    api_key: bench
    budget: { requests: 1000000, per: 1m, concurrency: 4 }
    watch: { shipments: { every: 1s } }
subscriptions:
  erp:
    url: http://127.0.0.1:9/
    secret: \${SHIPBELL_BENCH_SECRET}
    events: [shipment.removed]
delivery: { allow_networks: [127.0.0.0/8] }
http: { listen: "127.0.0.1:0" }
`
