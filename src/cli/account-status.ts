import { healthOf, pauseAt, refusalOf } from '../report/account.ts'
import type { AccountOverview as Account, ListOverview as List } from '../store/query-port.ts'
import { formatDuration } from '../model/duration.ts'
import { formatInstant } from '../model/instant.ts'
import type { CommandContext } from './command-context.ts'
import { painter, type Style } from './terminal.ts'
import { writeTable, type Cell } from './table.ts'
import { watchedAs } from '../model/resource.ts'

const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'HEALTH' },
  { title: 'RESOURCE' },
  { title: 'RECORDS', align: 'right' },
  { title: 'LAST COMPLETE PASS' },
  { title: 'NEWEST READ' },
  { title: 'OLDEST READ' },
  { title: 'BUDGET USED (1 h)' },
] as const

/** A line for every list of every account. */
export function writeAccounts(context: CommandContext, accounts: readonly Account[]): void {
  if (accounts.length === 0) {
    context.stdout.write('No accounts yet: nothing was read.\n')
    return
  }
  const now = context.clock.now()
  const rows = accounts.flatMap((account) =>
    account.lists.length === 0 ? [cells(account, null, now)] : account.lists.map((list) => cells(account, list, now)),
  )
  writeTable(COLUMNS, rows, { stream: context.stdout, paint: painter(context) })
}

const STYLES: Readonly<Record<ReturnType<typeof healthOf>, Style>> = {
  ok: 'green',
  degraded: 'yellow',
  unauthorized: 'red',
}

function healthText(account: Account, pause: Account['pause']): string {
  const reason = account.record?.memory.health?.reason ?? pause?.reason
  const wait = pause === null ? '' : `, not asked before ${formatInstant(pause.notBefore)}`
  return healthOf(account) + wait + (reason == null ? '' : `: ${reason}`)
}

function cells(account: Account, list: List | null, now: number): readonly Cell[] {
  const state = healthOf(account)
  const pause = pauseAt(account, now)
  const refusal = refusalOf(account, list)
  return [
    account.account,
    refusal === null
      ? { text: healthText(account, pause), style: pause !== null && state === 'ok' ? 'yellow' : STYLES[state] }
      : { text: `refused: ${refusal.reason}`, style: 'red' },
    list === null ? '–' : watchedAs(list.resource),
    list === null ? '–' : String(list.records),
    list === null ? '–' : lastPass(list, now),
    ago(list?.newestReadAt ?? null, now),
    ago(list?.oldestReadAt ?? null, now),
    budgetUsed(account),
  ]
}

function budgetUsed({ budgetUse }: Account): string {
  if (budgetUse === null) return '–'
  const { requests, budgetPerHour } = budgetUse
  return `${requests} of ${budgetPerHour} (${Math.round((100 * requests) / budgetPerHour)} %)`
}

function lastPass(list: List, now: number): string {
  return list.baselinedAt === null ? `none yet (learning, pass ${list.pass})` : ago(list.completedAt, now)
}

/** Whole seconds; a clock that was set back shows 0s. */
function ago(at: number | null, now: number): string {
  return at === null ? '–' : `${formatDuration(Math.floor(Math.max(now - at, 0) / 1000) * 1000)} ago`
}
