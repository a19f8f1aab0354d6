import { chaos } from '../pipeline/chaos.ts'
import { describeChaos } from './describe-chaos.ts'

const EVENTS = 3_400
const POISON = 34
const KILLS = 20

/** The real daemon, killed again and again, delivers to three subscriptions of a receiver that misbehaves. */
export async function benchChaos(): Promise<string> {
  const report = await chaos({
    seed: Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1),
    events: EVENTS,
    subjects: 200,
    kills: KILLS,
    faults: { failed: 0.15, throttled: 0.005, reset: 0.1, hanging: 0.005 },
    poison: POISON,
    subscriptions: { one: 'none', two: 'none', ordered: 'subject', off: 'disabled' },
    concurrency: 16,
    timeout: '1s',
    backups: { everyMs: 1_000, restored: 4 },
  })
  return `chaos, ${3 * EVENTS} deliveries and ${EVENTS} held ones, ${KILLS} kills: ${describeChaos(report)}`
}
