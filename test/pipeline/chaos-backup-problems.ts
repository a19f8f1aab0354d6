import path from 'node:path'
import type { TakenBackup } from './chaos-backups.ts'
import { isPoisonOf, type ChaosOptions } from './chaos-configuration.ts'
import { chaosRows, type ChaosRow, type ChaosRows } from './chaos-rows.ts'

/** What is wrong with a backup, given what the receiver knew before and after it was made; empty where nothing is. */
export function backupProblems(backup: TakenBackup, options: ChaosOptions): readonly string[] {
  if (backup.code !== 0) return [`${path.basename(backup.file)}: exit code ${backup.code}: ${backup.said}`]
  const held = chaosRows(backup.file)
  const isTold = ({ subscription, id }: ChaosRow): boolean => backup.after.get(subscription)?.has(id) === true
  const wrong = {
    'not delivered, but confirmed before, beyond what was under way': overdue(held.rows, backup, options),
    'delivered, but nobody was told': held.rows.filter((row) => row.state === 'delivered' && !isTold(row)).length,
    ...wholeness(held, options),
  }
  const found = Object.entries(wrong).filter(([, amount]) => amount > 0)
  return [
    ...(held.integrity === 'ok'
      ? []
      : [`${path.basename(backup.file)}: integrity_check says ${String(held.integrity)}`]),
    ...found.map(([what, amount]) => `${path.basename(backup.file)}: ${amount} ${what}`),
  ]
}

/** An attempt is confirmed before it is settled, and one that a kill cut is made again: so many may be ahead of the store. */
function overdue(rows: readonly ChaosRow[], { before, cut }: TakenBackup, options: ChaosOptions): number {
  const ahead = rows.filter(({ subscription, id, state }) => state !== 'delivered' && before.get(subscription)?.has(id))
  const open = Object.values(options.subscriptions).filter((order) => order !== 'disabled').length
  return ahead.length - cut - open * options.concurrency
}

function wholeness({ events, others, rows }: ChaosRows, options: ChaosOptions): Readonly<Record<string, number>> {
  const isPoison = isPoisonOf(options)
  const names = Object.keys(options.subscriptions)
  const own = others.filter((type) => type.startsWith('endpoint.'))
  const baselines = others.filter((type) => type === 'account.baseline_completed')
  const pairs = new Set(rows.map(({ subscription, id }) => `${subscription} ${id}`))
  const amiss = ({ subscription, id, state }: ChaosRow): boolean =>
    options.subscriptions[subscription] === 'disabled'
      ? state !== 'held'
      : !(state === 'pending' || state === (isPoison(id) ? 'exhausted' : 'delivered'))
  return {
    'events missing or too many': Math.abs(new Set(events).size - options.events),
    'events that nobody made': others.length - own.length - Math.min(1, baselines.length),
    'rows too many': rows.length - names.length * options.events,
    'events without a row': events.flatMap((id) => names.filter((name) => !pairs.has(`${name} ${id}`))).length,
    'rows in a state they cannot be in': rows.filter(amiss).length,
    'delivered without an attempt that was': rows.filter((row) => row.state === 'delivered' && row.answered === 0)
      .length,
  }
}
