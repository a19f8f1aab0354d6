import { NO_DATA, realDeliveriesFile } from '../../pipeline/real-deliveries.ts'
import { accountScenario } from './account-scenario.ts'
import { compare } from './compare.ts'
import { deliveriesScenario } from './deliveries-scenario.ts'

/** A few simulated days of one account. */
export async function benchFreshness(): Promise<string> {
  const seed = Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1)
  return compare(`seed ${seed}`, [accountScenario(seed, 3)])
}

/** A week of each of several accounts: the delays of one differ by chance by more than two good policies do. */
export async function benchFreshnessLong(): Promise<string> {
  const seeds = [1, 2, 3, 4, 5]
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
