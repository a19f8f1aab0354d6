import { readDeliveries } from '../../src/sandbox/sandbox.ts'
import { compareEmitted } from '../pipeline/compare-emitted.ts'
import { eventsByTheCells, NO_DATA, realDeliveriesFile } from '../pipeline/real-deliveries.ts'
import { replay } from '../pipeline/replay.ts'

/** All real deliveries, one pass on every day on which something is recorded; throws where an event is missed or invented. */
export async function benchReplay(): Promise<string> {
  const file = realDeliveriesFile()
  if (file === null) return `replay: left out. ${NO_DATA}`
  const expected = eventsByTheCells(file)
  const deliveries = readDeliveries(file)
  const days = [...new Set(expected.map(({ seen }) => seen))].sort()
  const { wallMs, result } = await timed(async () => replay(deliveries, days))
  const { missed, invented } = compareEmitted(expected, result.emitted)
  const [example] = [...missed, ...invented]
  if (example !== undefined) {
    throw new Error(`replay: ${missed.length} events missed, ${invented.length} invented, such as ${example}`)
  }
  return (
    `real deliveries: ${count(deliveries.length)} shipments, ${count(result.passes)} passes in ${(wallMs / 1_000).toFixed(0)} s: ` +
    `${count(result.emitted.length)} events of ${count(expected.length)}, recall 100 %, precision 100 %`
  )
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly wallMs: number; readonly result: T }> {
  const start = performance.now()
  const result = await work()
  return { wallMs: performance.now() - start, result }
}

function count(value: number): string {
  return value.toLocaleString('en')
}
