import path from 'node:path'
import { Workplace } from '../support/shipbell.ts'
import { chaosConfiguration, isPoisonOf, type ChaosOptions } from './chaos-configuration.ts'
import { chaosRows, type ChaosRow } from './chaos-rows.ts'
import { FaultyReceiver } from './faulty-receiver.ts'
import { rowsEnded } from './rows-ended.ts'

export interface RestoredBackup {
  /** Rows that were not delivered when the backup was made, and are to be. */
  readonly due: number
  readonly told: number
  readonly problems: readonly string[]
}

const NO_FAULTS = { failed: 0, throttled: 0, reset: 0, hanging: 0 }

/** Restores a backup into a folder of its own and lets a daemon deliver from it, to a receiver that knows nothing. */
export async function restoreBackup(file: string, platform: string, options: ChaosOptions): Promise<RestoredBackup> {
  using work = new Workplace()
  const isPoison = isPoisonOf(options)
  await using receiver = await FaultyReceiver.start({ seed: options.seed, faults: NO_FAULTS, isPoison })
  work.write('shipbell.yaml', chaosConfiguration(options, { platform, receiver: receiver.url }, 'info'))
  const restored = await work.run('restore', file)
  if (restored.code !== 0)
    return { due: 0, told: 0, problems: [`${path.basename(file)} is not restored: ${restored.stderr}`] }
  const { rows, events } = chaosRows(file)
  const pending = rows.filter(({ state }) => state === 'pending')
  const daemon = work.start('run')
  await daemon.prints(/poll\.completed/)
  await rowsEnded(daemon, pending.length)
  daemon.kill('SIGTERM')
  const { code } = await daemon.ended
  const after = chaosRows(`${work.folder}/shipbell.db`)
  const due = pending.filter(({ id }) => !isPoison(id))
  const wrong = {
    ...unequal(due, receiver),
    'told twice': receiver.duplicates,
    'under another id': receiver.strangers.length,
    'events that the backup did not have': after.events.filter((id, nth) => id !== events[nth]).length,
    'still pending': after.rows.filter(({ state }) => state === 'pending').length,
    'as the exit code': code ?? 1,
  }
  const problems = Object.entries(wrong).flatMap(([what, n]) =>
    n === 0 ? [] : [`restored from ${path.basename(file)}: ${n} ${what}`],
  )
  return { due: due.length, told: receiver.total, problems }
}

function unequal(due: readonly ChaosRow[], { taken }: FaultyReceiver): Readonly<Record<string, number>> {
  const heard = new Set([...taken].flatMap(([url, ids]) => ids.map((id) => `${url.slice(1)} ${id}`)))
  const wanted = new Set(due.map(({ subscription, id }) => `${subscription} ${id}`))
  return {
    lost: [...wanted].filter((pair) => !heard.has(pair)).length,
    'told that were told before': [...heard].filter((pair) => !wanted.has(pair)).length,
  }
}
