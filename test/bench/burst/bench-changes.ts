import { Arena, median, PAGE, stageTable } from './rounds.ts'

const SHIPMENTS = 10_000
/** V8 compiles what is hot for as long as that: a daemon that has run for an hour is past it. */
export const WARM_UP_ROUNDS = 8
const ROUNDS = 12

export const CHANGES = { shipments: SHIPMENTS, isHeard: false, everyS: 3 } as const

/** A pass that finds a tenth of every page changed, beside a bare loop that gets and parses the same pages. Linux only. */
export async function benchChanges(): Promise<string> {
  await using arena = await Arena.open(CHANGES)
  const rounds: Awaited<ReturnType<typeof changedPass>>[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) rounds.push(await changedPass(arena))
  const measured = rounds.slice(WARM_UP_ROUNDS)
  const ours = median(measured.map(({ spent }) => spent.cpuMs))
  const cold = median(rounds.slice(1, WARM_UP_ROUNDS).map(({ spent }) => spent.cpuMs))
  const bare = median(measured.map((round) => round.bare.cpuMs))
  return (
    `pass with a tenth changed, ${SHIPMENTS} shipments: ${ours.toFixed(0)} ms CPU (bar 450, aim 340) against ` +
    `${bare.toFixed(0)} bare: ${(ours / bare).toFixed(2)}× (bar 2.5×, aim 1.8×); ${cold.toFixed(0)} ms while V8 compiles` +
    stageTable(
      measured.map(({ spent }) => spent),
      SHIPMENTS / 10,
    )
  )
}

export async function changedPass(arena: Arena) {
  await arena.peer.tell('tenth')
  const spent = await arena.spends(async () => {
    await arena.peer.tell('open')
    await arena.sees(({ pages }) => pages === SHIPMENTS / PAGE)
  })
  return { spent, bare: await arena.bare({ kind: 'pass', shipments: SHIPMENTS }) }
}
