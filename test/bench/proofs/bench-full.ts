import { describeFull, startFull } from './full.ts'

const isSmall = process.argv.includes('--small')
const FULL = { records: 100_000, kills: 10, changesPerSecond: 50 }
const SMALL = { records: 3_000, kills: 3, changesPerSecond: 50 }

/** A subscription starts full while records change and the daemon is killed. */
export async function benchFull(): Promise<string> {
  const report = await startFull({ ...(isSmall ? SMALL : FULL), seed: Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1) })
  const said = `start-full, ${describeFull(report)}`
  if (report.problems.length > 0) throw new Error(said)
  return said
}
