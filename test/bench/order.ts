import { chaos } from '../pipeline/chaos.ts'
import { describeChaos } from './describe-chaos.ts'

const EVENTS = 100_000
const KILLS = 10

/** Strict order within each subject under faults and kills. */
export async function benchOrder(): Promise<string> {
  const report = await chaos({
    seed: Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1),
    events: EVENTS,
    subjects: 5_000,
    kills: KILLS,
    faults: { failed: 0.05, throttled: 0.001, reset: 0.03, hanging: 0.001 },
    poison: 100,
    subscriptions: { ordered: 'subject' },
    concurrency: 64,
    timeout: '2s',
  })
  return `order, ${EVENTS} ordered deliveries, ${KILLS} kills: ${describeChaos(report)}`
}
