import type { BackupsReport } from '../pipeline/chaos-backups-report.ts'
import type { ChaosReport } from '../pipeline/chaos.ts'

/** What a run came to; throws where anything was lost, strange or out of order. */
export function describeChaos(report: ChaosReport): string {
  const { states, lost, duplicates, underWayAtKills, strangers, outOfOrder, answers, seconds } = report
  const wrong = lost + strangers.length + outOfOrder.length + Math.max(0, duplicates - underWayAtKills)
  const { taken, ...faults } = answers
  const backups = report.backups === null ? null : describeBackups(report.backups)
  const said =
    `${lost} lost, ${outOfOrder.length} out of order, ${duplicates} duplicates for ${underWayAtKills} confirmed and not ` +
    `written down at the kills, ${strangers.length} under another id; ${taken} answers 2xx, faults ${JSON.stringify(faults)}; ` +
    `states ${JSON.stringify(states)}; ${seconds.toFixed(0)} s` +
    (backups === null ? '' : `; ${backups}`)
  if (wrong > 0 || (report.backups?.problems ?? []).length > 0) throw new Error(said)
  return said
}

function describeBackups({ seconds, restored, problems }: BackupsReport): string {
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted.at(Math.floor(share * (sorted.length - 1))) ?? 0).toFixed(2)
  const each = restored.map(({ told, due }) => `${told} of ${due} due`).join(', ')
  return (
    `${seconds.length} backups, ${at(0.5)} s each in the median and at most ${at(1)} s; daemons on ${restored.length} ` +
    `of them told ${each}; ${problems.length === 0 ? 'all whole' : `${problems.length} problems: ${problems.slice(0, 5).join('; ')}`}`
  )
}
