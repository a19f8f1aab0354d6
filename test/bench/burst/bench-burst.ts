import { Arena, deliveredFigures, deliveredRound } from './rounds.ts'

const SHIPMENTS = 10_000
const ROUNDS = 6

export const BURST = { shipments: SHIPMENTS, isHeard: true, everyS: 3 } as const

/** Every shipment changes between two passes: what an event costs from the page to the receiver, and how many come in a second. Linux only. */
export async function benchBurst(): Promise<string> {
  await using arena = await Arena.open(BURST)
  const rounds: Awaited<ReturnType<typeof burst>>[] = []
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await burst(arena))
  const { cpuUs, bareCpuUs, rate, bareRate, ratio, coldRatio, stages } = deliveredFigures(rounds, SHIPMENTS)
  return (
    `burst, ${SHIPMENTS} changed shipments: ${cpuUs.toFixed(0)} µs CPU for each event (bar 420, aim 300; bare POSTs ` +
    `${bareCpuUs.toFixed(0)}), ${rate.toFixed(0)} events/s (bar 2,600, aim 4,000) against ${bareRate.toFixed(0)} bare: ` +
    `${ratio.toFixed(2)}× (bar 0.17×, aim 0.25×), in the first round ${coldRatio.toFixed(2)}×${stages}`
  )
}

export async function burst(arena: Arena) {
  await arena.peer.tell('all')
  return await deliveredRound(arena, SHIPMENTS, 'open')
}
