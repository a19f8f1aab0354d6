import type { Spent } from './burst-daemon.ts'
import { Arena, median, stageTable } from './rounds.ts'

const SHIPMENTS = 10_000
const ROUNDS = 6

interface Round {
  readonly spent: Spent
  readonly wallMs: number
  readonly bareMs: number
  readonly bareCpuMs: number
}

/** Every shipment changes between two passes: what an event costs from the page to the receiver, and how many come in a second. Linux only. */
export async function benchBurst(): Promise<string> {
  await using arena = await Arena.open({ shipments: SHIPMENTS, isHeard: true, everyS: 8 })
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await burst(arena))
  const measured = rounds.slice(1)
  const cpu = median(measured.map(({ spent }) => spent.cpuMs)) / SHIPMENTS
  const bareCpu = median(measured.map(({ bareCpuMs }) => bareCpuMs)) / SHIPMENTS
  const rate = (SHIPMENTS * 1_000) / median(measured.map(({ wallMs }) => wallMs))
  const bareRate = (SHIPMENTS * 1_000) / median(measured.map(({ bareMs }) => bareMs))
  const ratio = median(measured.map(({ bareMs, wallMs }) => bareMs / wallMs))
  return (
    `burst, ${SHIPMENTS} changed shipments: ${(cpu * 1_000).toFixed(0)} µs CPU for each event (bar 420, aim 300; bare POSTs ` +
    `${(bareCpu * 1_000).toFixed(0)}), ${rate.toFixed(0)} events/s (bar 2,600, aim 4,000) against ${bareRate.toFixed(0)} bare: ` +
    `${ratio.toFixed(2)}× (bar 0.17×, aim 0.25×)${stageTable(
      measured.map(({ spent }) => spent),
      SHIPMENTS,
    )}`
  )
}

async function burst(arena: Arena): Promise<Round> {
  await arena.peer.tell('all')
  const spent = await arena.spends(async () => {
    await arena.peer.tell('open')
    await arena.sees(({ events }) => events >= SHIPMENTS)
  })
  const { bytes, events, firstAt, lastAt, repeated } = await arena.peer.tell('seen')
  if (events !== SHIPMENTS || repeated > 0) throw new Error(`${events} events came, and ${repeated} again`)
  const bare = await arena.bare({ kind: 'posts', amount: SHIPMENTS, bytes })
  return { spent, wallMs: lastAt - firstAt, bareMs: bare.wallMs, bareCpuMs: bare.cpuMs }
}
