import { healthOf, incompleteOf, pauseAt, refusalOf } from '../report/account.ts'
import { roughDuration } from '../report/delay.ts'
import type { ReadAge, ReadAgeState } from '../report/read-age.ts'
import type { Status } from '../report/status.ts'
import type { AccountOverview as Account, ListOverview as List } from '../store/ports/query-port.ts'
import type { CommandContext } from './command-context.ts'
import { painter, terminalText, type Style } from './terminal.ts'
import { writeTable, type Cell } from './table.ts'
import { watchedAs } from '../model/resource.ts'
import { wrapped } from './wrapped.ts'
import { wallTime, withWallTimes } from './wall-clock.ts'

const ACCOUNTS = [
  { title: 'ACCOUNT' },
  { title: 'HEALTH' },
  { title: 'RECORDS', align: 'right' },
  { title: 'EVENTS', align: 'right' },
  { title: 'BUDGET USED (1 h)' },
] as const

const RESOURCES = [
  { title: 'ACCOUNT' },
  { title: 'RESOURCE' },
  { title: 'RECORDS', align: 'right' },
  { title: 'OLDEST READ', align: 'right' },
  { title: 'EVERY', align: 'right' },
  { title: 'STATE' },
] as const

/** A line for every account, what is to be said of its health, and a line for everything that it watches. */
export function writeAccounts(context: CommandContext, status: Status): void {
  const { accounts, ages, needs, now } = status
  if (accounts.length === 0) {
    context.stdout.write('No accounts yet: nothing was read.\n')
    return
  }
  const output = { stream: context.stdout, paint: painter(context) }
  writeTable(
    ACCOUNTS,
    accounts.map((account) => accountCells(account, now)),
    output,
  )
  const refused = new Set(needs.flatMap(({ account, kind }) => (kind === 'refused' ? [account] : [])))
  for (const account of accounts) writeHealthNote(context, account, { now, isSaid: refused.has(account.account) })
  const rows = accounts.flatMap((account) =>
    account.lists.map((list) => {
      const age = ages.find((each) => each.account === account.account && each.resource === watchedAs(list.resource))
      return resourceCells(account, list, { age, now })
    }),
  )
  if (rows.length === 0) return
  context.stdout.write('\n')
  writeTable(RESOURCES, rows, output)
}

const HEALTH_STYLES: Readonly<Record<ReturnType<typeof healthOf>, Style>> = {
  ok: 'green',
  degraded: 'yellow',
  unauthorized: 'red',
}

function accountCells(account: Account, now: number): readonly Cell[] {
  const state = healthOf(account)
  const isPaused = state === 'ok' && pauseAt(account, now) !== null
  return [
    account.account,
    isPaused ? { text: 'paused', style: 'yellow' } : { text: state, style: HEALTH_STYLES[state] },
    String(account.lists.reduce((sum, { records }) => sum + records, 0)),
    String(account.lastSequence),
    budgetUsed(account),
  ]
}

function budgetUsed({ budgetUse }: Account): string {
  if (budgetUse === null) return '–'
  const { requests, budgetPerHour } = budgetUse
  return `${requests} of ${budgetPerHour} (${Math.round((100 * requests) / budgetPerHour)} %)`
}

/** Why an account is not well, once, unless what needs a person says so, and until when it is left alone. */
function writeHealthNote(
  context: CommandContext,
  account: Account,
  { isSaid, now }: { readonly isSaid: boolean; readonly now: number },
): void {
  const { account: name, record } = account
  const health = record?.memory.health
  const pause = pauseAt(account, now)
  const reason = health?.reason ?? pause?.reason ?? null
  const wait = pause === null ? '' : `is not asked before ${wallTime(pause.notBefore)}`
  const parts = [pause === null ? `is ${healthOf(account)}` : wait, isSaid ? null : reason]
  if (pause === null && (isSaid || reason === null)) return
  const note = `${name} ${parts.filter((part) => part !== null).join(': ')}`
  context.stdout.write(wrapped(terminalText(withWallTimes(note)), context.stdout))
}

const AGE_STYLES: Readonly<Record<ReadAgeState, Style>> = {
  fresh: 'green',
  grace: 'yellow',
  late: 'red',
  unread: 'dim',
}

function resourceCells(
  account: Account,
  list: List,
  { age, now }: { readonly age: ReadAge | undefined; readonly now: number },
): readonly Cell[] {
  const readAt = list.oldestReadAt ?? list.completedAt
  return [
    account.account,
    watchedAs(list.resource),
    String(list.records),
    readAt === null ? '–' : `${roughDuration(Math.max(now - readAt, 0), Math.floor)} ago`,
    age === undefined ? '–' : roughDuration(age.promiseMs),
    troubleCell(account, list) ?? stateCell(list, age),
  ]
}

/** What troubles a list; null: nothing but time is to be said of it. */
function troubleCell(account: Account, list: List): Cell | null {
  if (refusalOf(account, list) !== null) return { text: 'refused', style: 'red' }
  return incompleteOf(list) === null ? null : { text: 'incomplete', style: 'red' }
}

function stateCell({ baselinedAt }: List, age: ReadAge | undefined): Cell {
  if (age === undefined) return { text: '–', style: 'dim' }
  return baselinedAt === null
    ? { text: 'learning', style: 'yellow' }
    : { text: age.state, style: AGE_STYLES[age.state] }
}
