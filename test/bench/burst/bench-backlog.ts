import { Arena, deliveredFigures, deliveredRound, PAGE } from './rounds.ts'

const SHIPMENTS = 5_000
const ROUNDS = 6

export const BACKLOG = { shipments: SHIPMENTS, isHeard: true, everyS: 3 } as const

/** A receiver keeps everybody waiting while rows are written, and then answers: how fast they go, on 64 sockets. Linux only. */
export async function benchBacklog(): Promise<string> {
  await using arena = await Arena.open(BACKLOG)
  const rounds: Awaited<ReturnType<typeof backlog>>[] = []
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await backlog(arena))
  const { cpuUs, bareCpuUs, rate, ratio, coldRatio, stages } = deliveredFigures(rounds, SHIPMENTS)
  return (
    `backlog, ${SHIPMENTS} rows written before, 64 sockets: ${cpuUs.toFixed(0)} µs CPU for each (bar 160, aim 110; ` +
    `bare ${bareCpuUs.toFixed(0)}), ${rate.toFixed(0)}/s: ${ratio.toFixed(2)}× of the bare loop (bar 0.48×, aim 0.6×), in the first round ${coldRatio.toFixed(2)}×${stages}`
  )
}

export async function backlog(arena: Arena) {
  const { peer } = arena
  await peer.tell('all')
  await peer.tell('hold')
  await peer.tell('open')
  await arena.sees(({ pages }) => pages === SHIPMENTS / PAGE)
  await arena.rest()
  return await deliveredRound(arena, SHIPMENTS, 'answer')
}
