import { complete, describeComplete, type CompleteOptions } from './complete.ts'

const isSmall = process.argv.includes('--small')

/** `SHIPBELL_BENCH_DELIVERIES` is another number. */
const DELIVERIES = Number(process.env['SHIPBELL_BENCH_DELIVERIES'] ?? 100_000)
const FULL = { deliveries: DELIVERIES, shipments: 2_500, kills: 10, swallows: { deliveries: 0.001, watermarks: 0.05 } }
const SMALL = { deliveries: 2_000, shipments: 100, kills: 3, swallows: { deliveries: 0.01, watermarks: 0.05 } }

const OPTIONS: Omit<CompleteOptions, 'store'> = {
  ...(isSmall ? SMALL : FULL),
  seed: Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1),
}

/** A receiver finds and heals what a proxy swallows, from one daemon on SQLite that is killed. */
export async function benchComplete(): Promise<string> {
  return told('complete', await complete({ ...OPTIONS, store: 'sqlite' }))
}

/** The same from two workers on PostgreSQL, of which one takes over from the other. */
export async function benchCompleteWorkers(): Promise<string> {
  return told('complete-workers', await complete({ ...OPTIONS, store: 'postgres' }))
}

function told(name: string, report: Awaited<ReturnType<typeof complete>>): string {
  const said = `${name}, ${describeComplete(report)}`
  if (report.problems.length > 0) throw new Error(said)
  return said
}
