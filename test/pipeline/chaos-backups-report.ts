import { backupProblems } from './chaos-backup-problems.ts'
import type { TakenBackup } from './chaos-backups.ts'
import type { ChaosOptions } from './chaos-configuration.ts'
import { restoreBackup, type RestoredBackup } from './chaos-restores.ts'

export interface BackupsReport {
  /** How long each took, by the clock. */
  readonly seconds: readonly number[]
  readonly restored: readonly RestoredBackup[]
  readonly problems: readonly string[]
}

/** Opens and checks every backup, and restores some of them. */
export async function reportBackups(
  taken: readonly TakenBackup[],
  platform: string,
  options: ChaosOptions,
): Promise<BackupsReport> {
  const problems = taken.flatMap((backup) => backupProblems(backup, options))
  const restored: RestoredBackup[] = []
  for (const { file } of spread(taken, options.backups?.restored ?? 0)) {
    restored.push(await restoreBackup(file, platform, options))
  }
  return {
    seconds: taken.map(({ seconds }) => seconds),
    restored,
    problems: [...problems, ...restored.flatMap((each) => each.problems)],
  }
}

/** The first backup after each equal share of the deliveries: endpoints rest at first, so equal times would show little. */
function spread(taken: readonly TakenBackup[], amount: number): readonly TakenBackup[] {
  const told = taken.map(({ before }) => [...before.values()].reduce((sum, ids) => sum + ids.size, 0))
  const most = Math.max(0, ...told)
  const shares = Array.from({ length: amount }, (_, nth) => (nth * most) / amount)
  const at = new Set(shares.map((share) => told.findIndex((each) => each >= share)))
  return taken.filter((_, nth) => at.has(nth))
}
