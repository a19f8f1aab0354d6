import { liveHostile } from '../world/hostile-life.ts'

const LIVES = 60
const LIFE = { rounds: 12, size: 60 }

/** Accounts behind the answers of bad days, read over HTTP by the real client, and what of them rang. */
export async function benchHostile(): Promise<string> {
  const startedAt = performance.now()
  const total = { mutations: 0, expected: 0, events: 0, missed: 0, invented: 0, rejected: 0 }
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const { account, events, expected, invented, missed, mutations } = await liveHostile({ seed, ...LIFE })
    if (missed.length + invented.length > 0) console.error(JSON.stringify({ seed, missed, invented }))
    total.mutations += mutations
    total.expected += expected
    total.events += events
    total.missed += missed.length
    total.invented += invented.length
    total.rejected += account['account.record_rejected'] ?? 0
  }
  const { events, expected, invented, missed, mutations, rejected } = total
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  return (
    `hostile answers, ${mutations} mutations in ${LIVES} lives: ${events} events, ${rejected} rejections, ` +
    `recall ${percent(expected - missed, expected)}, precision ${percent(events - invented, events)}, ${seconds} s`
  )
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : (100 * part) / whole} %`
}
