import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../../../src/clock.ts'
import { Workplace } from '../../support/shipbell.ts'
import { startPaperPeer, type PaperPeer } from '../start-peer.ts'
import { builtProgram, type BuiltProgram } from './built-program.ts'
import { memoryOf, type ProcessMemory } from './process-memory.ts'
import { storeSize } from './store-size.ts'
import { quantile } from '../measure.ts'

const SIZES = (process.env['SHIPBELL_BENCH_SHIPMENTS'] ?? '30000,100000').split(',').map(Number)
const PASSES = 3
const STARTS = 5
const LOOK_MS = 250
/** How long ago, beyond when it was read, what is over was over. */
const MONTH_MS = 30 * 86_400_000

/** Memory, start and disk of the real program, as its package has it, with many shipments, of which a quarter is tracked. Linux only. */
export async function benchFootprint(): Promise<string> {
  using program = builtProgram()
  const sizes: string[] = []
  for (const size of SIZES) sizes.push(await footprintOf(size, program))
  return sizes.join('\n')
}

async function footprintOf(shipments: number, { entry }: BuiltProgram): Promise<string> {
  const live = shipments / 4
  using peer = await startPaperPeer(shipments, live)
  using work = new Workplace()
  work.entry = entry
  const store = path.join(work.folder, 'shipbell.db')
  configure(work, peer.url, { isTracked: false })
  const { code, stderr } = await work.run('once')
  if (code !== 0) throw new Error(stderr)
  closeLongAgo(store)
  configure(work, peer.url, { isTracked: true })
  const memory = await passes(work, peer, live)
  const size = storeSize(store)
  const starts: number[] = []
  for (let start = 0; start < STARTS; start += 1) starts.push(await startMs(work, peer))
  const { bytes } = await peer.asked()
  const each = (part: number): string => `${(part / shipments).toFixed(0)} B`
  return [
    `footprint, ${shipments} shipments, ${live} tracked, ${each(bytes)} of JSON for each`,
    `memory after ${PASSES} passes: ${memory.nowMb.toFixed(0)} MB, ${memory.peakMb.toFixed(0)} MB at the highest (bar 170 MB for 30,000 and 190 for 100,000, aim 150)`,
    `start to first request: ${quantile(starts, 0.5).toFixed(0)} ms, at most ${Math.max(...starts).toFixed(0)} ms (bar 1,500 ms, aim 500)`,
    `disk for each shipment: ${each(size.file)} (bar 4 kB, aim 2 kB): bodies ${each(size.bodies)}, records ${each(size.records)}, ` +
      `reads ${each(size.reads)}, indexes ${each(size.indexes)}, other ${each(size.other)}`,
  ].join('\n')
}

function configure(work: Workplace, url: string, { isTracked }: { readonly isTracked: boolean }): void {
  work.write(
    'shipbell.yaml',
    `accounts:
  acme:
    base_url: ${url}
    api_key: bench
    budget: { requests: 1000000, per: 1m, concurrency: 4 }
    watch: { shipments: { every: 10s }${isTracked ? ', tracking: { every: 1h }' : ''} }
subscriptions: {}
storage: { path: shipbell.db }
http: { listen: "127.0.0.1:0" }
log: { level: warn }
`,
  )
}

/** What was over when it was first seen would be tracked for a week: it was first seen long ago. */
function closeLongAgo(store: string): void {
  const db = new Sqlite(store)
  db.prepare('UPDATE records SET closed_at = closed_at - ?').run(MONTH_MS)
  db.close()
}

/** Reads all trackings, then the whole list so many times. */
async function passes(work: Workplace, peer: PaperPeer, live: number): Promise<ProcessMemory> {
  const daemon = work.start('run')
  let since: number | null = null
  for (;;) {
    await delay(LOOK_MS)
    const { passes, trackings } = await peer.asked()
    if (since === null && trackings >= live) since = passes
    if (since !== null && passes > since + PASSES) break
  }
  const memory = memoryOf(daemon.pid)
  daemon.kill('SIGTERM')
  const { code, stderr } = await daemon.ended
  if (code !== 0) throw new Error(stderr)
  return memory
}

async function startMs(work: Workplace, peer: PaperPeer): Promise<number> {
  await peer.asked()
  const startedAt = systemClock.now()
  const daemon = work.start('run')
  let firstAt: number | null = null
  while (firstAt === null) {
    await delay(LOOK_MS)
    firstAt = (await peer.asked()).firstAt
  }
  daemon.kill('SIGTERM')
  await daemon.ended
  return firstAt - startedAt
}
