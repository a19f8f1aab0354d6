import type { ChaosReport } from '../pipeline/chaos.ts'

/** What a run came to; throws where anything was lost, strange or out of order. */
export function describeChaos(report: ChaosReport): string {
  const { states, lost, duplicates, underWayAtKills, strangers, outOfOrder, answers, seconds } = report
  const wrong = lost + strangers.length + outOfOrder.length + Math.max(0, duplicates - underWayAtKills)
  const { taken, ...faults } = answers
  const said =
    `${lost} lost, ${outOfOrder.length} out of order, ${duplicates} duplicates for ${underWayAtKills} under way at the ` +
    `kills, ${strangers.length} under another id; ${taken} answers 2xx, faults ${JSON.stringify(faults)}; ` +
    `states ${JSON.stringify(states)}; ${seconds.toFixed(0)} s`
  if (wrong > 0) throw new Error(said)
  return said
}
