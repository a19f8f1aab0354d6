import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Workplace } from '../../support/shipbell.ts'
import { COUNTED, soakConfig } from './soak-config.ts'
import { MEASURES, SoakDaemon, type Measure, type Sample } from './soak-daemon.ts'
import { SoakPlatform } from './soak-platform.ts'
import { SoakReceivers } from './soak-receivers.ts'
import { trendOf, type Trend, type TrendOptions } from './trend.ts'

export interface SoakOptions {
  readonly minutes: number
  readonly eventsPerSecond: number
  readonly reloadEveryMs: number
  /** How many times what is tolerated is; default 1. What is measured for seconds only is not yet at rest. */
  readonly leniency?: number
}

export interface SoakReport {
  readonly minutes: number
  readonly changes: number
  /** Events that the endpoint which always answers has got. */
  readonly delivered: number
  readonly reloads: number
  readonly exitCode: number | null
  readonly said: readonly string[]
  readonly trends: Readonly<Record<Measure, Trend>>
}

/** How long memory, pools and the log take to find their size: this part of the run, and so long at least. */
const WARM_UP = 1 / 3
const LEAST_WARM_UP_MS = 60_000
const SAMPLE_EVERY_MS = 500
const LAST_MS = 60_000

/** A share of the mean below which a growth is none, however little noise there is. */
const JUDGED: Readonly<Record<Measure, TrendOptions>> = {
  'resident MB': { by: 'mean', tolerance: 0.02 },
  'heap MB': { by: 'least', tolerance: 0.05 },
  descriptors: { by: 'mean', tolerance: 0.02 },
  timers: { by: 'mean', tolerance: 0.05 },
  resources: { by: 'mean', tolerance: 0.05 },
  // SQLite writes the log from its start again once all of it is in the file, which a commit sees to at 8,000 pages.
  'log MB': { by: 'mean', tolerance: 0.02, bound: 40 },
}

/** Lets the real program live beside endpoints that do all that endpoints do, and samples what it holds. Linux only. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { minutes, eventsPerSecond, reloadEveryMs, leniency = 1 } = options
  using work = new Workplace()
  await using platform = await SoakPlatform.start()
  await using receivers = await SoakReceivers.start()
  writeFileSync(`${work.folder}/ca.pem`, receivers.authority)
  const urls = {
    platform: platform.url,
    receivers: receivers.url,
    tls: receivers.tlsUrl,
    hangingName: process.env['SHIPBELL_BENCH_HANGING_NAME'] ?? null,
  }
  work.write('shipbell.yaml', soakConfig(urls, 0))
  using daemon = new SoakDaemon(work.folder)
  await baselined(work, daemon)
  platform.startChanging(eventsPerSecond)
  const startedAt = performance.now()
  const warmAt = startedAt + Math.max(minutes * 60_000 * WARM_UP, LEAST_WARM_UP_MS)
  const samples: Sample[] = []
  let reloads = 0
  while (performance.now() - startedAt < minutes * 60_000) {
    await delay(SAMPLE_EVERY_MS)
    const sample = await daemon.sample()
    if (performance.now() > warmAt) samples.push(sample)
    if (performance.now() - startedAt > (reloads + 1) * reloadEveryMs) {
      reloads += 1
      work.write('shipbell.yaml', soakConfig(urls, reloads))
      daemon.reload()
    }
  }
  platform.stopChanging()
  const until = performance.now() + LAST_MS
  while (receivers.taken(COUNTED) < platform.changes && performance.now() < until) await delay(SAMPLE_EVERY_MS)
  const { changes } = platform
  const delivered = receivers.taken(COUNTED)
  const exitCode = await daemon.stop()
  return { minutes, changes, delivered, reloads, exitCode, said: daemon.said, trends: trendsOf(samples, leniency) }
}

/** What changes before its list is learnt rings nothing. */
async function baselined(work: Workplace, daemon: SoakDaemon): Promise<void> {
  while (daemon.isRunning) {
    const { stdout } = await work.run('events', 'list', '--json', '--type', 'account.baseline_completed')
    if (stdout !== '' && JSON.parse(stdout).length === 2) return
  }
  throw new Error(`the program ended before it had learnt its lists: ${daemon.said.join('\n')}`)
}

function trendsOf(samples: readonly Sample[], leniency: number): Readonly<Record<Measure, Trend>> {
  const of = (measure: Measure): Trend => {
    const judged = JUDGED[measure]
    const values = samples.map((sample) => sample[measure])
    return trendOf(values, { ...judged, tolerance: judged.tolerance * leniency })
  }
  return {
    'resident MB': of('resident MB'),
    'heap MB': of('heap MB'),
    descriptors: of('descriptors'),
    timers: of('timers'),
    resources: of('resources'),
    'log MB': of('log MB'),
  }
}

/** For people. */
export function describeSoak({ minutes, changes, delivered, reloads, exitCode, said, trends }: SoakReport): string {
  const lines = MEASURES.map((measure) => {
    const { mean, growth, noise, flat } = trends[measure]
    const [about, grew, chance] = [mean, growth, noise].map((value) => value.toFixed(2))
    return `  ${measure.padEnd(12)} ${about} on average, grew by ${grew} ± ${chance}: ${flat ? 'flat' : 'GROWS'}`
  })
  const verdict = MEASURES.every((measure) => trends[measure].flat) ? 'flat' : 'NOT FLAT'
  return [
    `soak, ${minutes} minutes: ${delivered} of ${changes} events delivered, ${reloads} reloads, exit ${exitCode}, ` +
      `${said.length} lines said: ${verdict} after the warm-up`,
    ...lines,
    ...said.slice(0, 5).map((line) => `  said: ${line.slice(0, 300)}`),
  ].join('\n')
}
