import { describeOwned, owned, type OwnedOptions } from './owned.ts'

const isSmall = process.argv.includes('--small')

const FULL = { owners: 20, subscriptions: 200, changes: 10_000, rounds: 20, kills: 10 }
const SMALL = { owners: 4, subscriptions: 20, changes: 500, rounds: 8, kills: 4 }

const OPTIONS: Omit<OwnedOptions, 'store'> = {
  ...(isSmall ? SMALL : FULL),
  seed: Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1),
}

/** Owners with subscriptions of their own, made at run time, from one daemon on SQLite that is killed. */
export async function benchOwned(): Promise<string> {
  return told('owned', await owned({ ...OPTIONS, store: 'sqlite' }))
}

/** The same from two workers on PostgreSQL. */
export async function benchOwnedWorkers(): Promise<string> {
  return told('owned-workers', await owned({ ...OPTIONS, store: 'postgres' }))
}

function told(name: string, report: Awaited<ReturnType<typeof owned>>): string {
  const said = `${name}, ${describeOwned(report)}`
  if (report.problems.length > 0) throw new Error(said)
  return said
}
