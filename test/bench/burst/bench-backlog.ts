import type { Spent } from './burst-daemon.ts'
import { Arena, median, PAGE, stageTable } from './rounds.ts'

const SHIPMENTS = 5_000
const ROUNDS = 6

interface Round {
  readonly spent: Spent
  readonly wallMs: number
  readonly bareMs: number
  readonly bareCpuMs: number
}

/** A receiver keeps everybody waiting while rows are written, and then answers: how fast they go, on 64 sockets. Linux only. */
export async function benchBacklog(): Promise<string> {
  await using arena = await Arena.open({ shipments: SHIPMENTS, isHeard: true, everyS: 6 })
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await backlog(arena))
  const measured = rounds.slice(1)
  const cpu = median(measured.map(({ spent }) => spent.cpuMs)) / SHIPMENTS
  const bareCpu = median(measured.map(({ bareCpuMs }) => bareCpuMs)) / SHIPMENTS
  const rate = (SHIPMENTS * 1_000) / median(measured.map(({ wallMs }) => wallMs))
  const ratio = median(measured.map(({ bareMs, wallMs }) => bareMs / wallMs))
  return (
    `backlog, ${SHIPMENTS} rows written before, 64 sockets: ${(cpu * 1_000).toFixed(0)} µs CPU for each (bar 160, aim 110; ` +
    `bare ${(bareCpu * 1_000).toFixed(0)}), ${rate.toFixed(0)}/s: ${ratio.toFixed(2)}× of the bare loop (bar 0.48×, aim 0.6×)` +
    stageTable(
      measured.map(({ spent }) => spent),
      SHIPMENTS,
    )
  )
}

async function backlog(arena: Arena): Promise<Round> {
  const { peer } = arena
  await peer.tell('all')
  await peer.tell('hold')
  await peer.tell('open')
  await arena.sees(({ pages }) => pages === SHIPMENTS / PAGE)
  await arena.rest()
  const spent = await arena.spends(async () => {
    await peer.tell('answer')
    await arena.sees(({ events }) => events >= SHIPMENTS)
  })
  const { bytes, events, firstAt, lastAt, repeated } = await peer.tell('seen')
  if (events !== SHIPMENTS || repeated > 0) throw new Error(`${events} events came, and ${repeated} again`)
  const bare = await arena.bare({ kind: 'posts', amount: SHIPMENTS, bytes })
  return { spent, wallMs: lastAt - firstAt, bareMs: bare.wallMs, bareCpuMs: bare.cpuMs }
}
