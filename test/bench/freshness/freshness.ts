import { NO_DATA, realDeliveriesFile } from '../../pipeline/real-deliveries.ts'
import { accountScenario } from './account-scenario.ts'
import { compare } from './compare.ts'
import { deliveriesScenario } from './deliveries-scenario.ts'

/** A few simulated days of one account. */
export async function benchFreshness(): Promise<string> {
  const seed = firstSeed()
  return compare(`seed ${seed}`, [accountScenario(seed, 3)])
}

/** A week of each of several accounts: the delays of one differ by chance by more than two good policies do. */
export async function benchFreshnessLong(): Promise<string> {
  const seeds = Array.from({ length: 5 }, (_, index) => firstSeed() + index)
  return compare(
    `seeds ${seeds.join(', ')}`,
    seeds.map((seed) => accountScenario(seed, 7)),
  )
}

/** The real deliveries of their busiest fortnight. */
export async function benchFreshnessDeliveries(): Promise<string> {
  const file = realDeliveriesFile()
  return file === null ? NO_DATA : compare('real deliveries', [deliveriesScenario(file, 14)])
}

/** `SHIPBELL_BENCH_SEED`, the first account: 1 unless told. */
function firstSeed(): number {
  return Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1)
}
