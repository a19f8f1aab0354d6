import type { Store } from '../store/ports.ts'
import { formatDuration } from '../model/duration.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { Freshness } from '../app/freshness.ts'
import { ceilingJson, delaysJson } from './freshness-status.ts'
import type { CommandContext } from './command-context.ts'
import { painter, type Style } from './terminal.ts'
import { writeTable, type Cell } from './table.ts'
import type { ResourceRefusal } from '../model/record-state.ts'
import { watchedAs } from '../model/resource.ts'

type Account = Awaited<ReturnType<Store['accounts']>>[number]
type List = Account['lists'][number]

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

/** What a person has to do about accounts, one sentence each: keys that are refused. */
export function accountsInNeed(accounts: readonly Account[]): readonly string[] {
  return accounts.flatMap((account) => {
    const { health, refused = {} } = account.record?.memory ?? {}
    const { account: name } = account
    const whole =
      health?.state === 'unauthorized' ? [`${name}: the platform refuses the key: ${health.reason ?? 'no reason'}`] : []
    const parts = Object.entries(refused).map(
      ([watch, { reason }]) => `${name}: the key may not read ${watch}: ${reason}`,
    )
    return [...whole, ...parts]
  })
}

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

export interface AccountNow {
  readonly now: number
  readonly fresh: Freshness | undefined
}

export function accountJson(account: Account, { fresh, now }: AccountNow): JsonObject {
  const health = account.record?.memory.health
  const pause = pauseAt(account, now)
  return {
    name: account.account,
    health: {
      state: healthOf(account),
      since: health === undefined ? null : formatInstant(health.since),
      reason: health?.reason ?? null,
    },
    pause:
      pause === null
        ? null
        : { until: formatInstant(pause.notBefore), since: formatInstant(pause.decidedAt), reason: pause.reason },
    last_sequence: account.lastSequence,
    budget_use:
      account.budgetUse === null
        ? null
        : { requests_last_hour: account.budgetUse.requests, budget_per_hour: account.budgetUse.budgetPerHour },
    ceiling: fresh === undefined ? null : ceilingJson(fresh),
    resources: account.lists.map((list) => ({
      resource: watchedAs(list.resource),
      records: list.records,
      pass: list.pass,
      last_complete_pass_at: instantOrNull(list.completedAt),
      baselined_at: instantOrNull(list.baselinedAt),
      newest_read_at: instantOrNull(list.newestReadAt),
      oldest_read_at: instantOrNull(list.oldestReadAt),
      refused: refusedJson(refusalOf(account, list)),
      ...delaysJson(fresh?.resources.find(({ resource }) => resource === list.resource)),
    })),
  }
}

const STYLES: Readonly<Record<ReturnType<typeof healthOf>, Style>> = {
  ok: 'green',
  degraded: 'yellow',
  unauthorized: 'red',
}

/** An account without a record of its own never had a failure. */
function healthOf({ record }: Account): 'ok' | 'degraded' | 'unauthorized' {
  return record?.memory.health?.state ?? 'ok'
}

/** How long the platform is left alone as of now; null where it is not. */
function pauseAt({ pause }: Account, now: number): Account['pause'] {
  return pause !== null && pause.notBefore > now ? pause : null
}

/** Why the key may not read a list although others answer; null where it may. */
function refusalOf({ record }: Account, list: List | null): ResourceRefusal | null {
  return (list && record?.memory.refused?.[watchedAs(list.resource)]) ?? null
}

function refusedJson(refusal: ResourceRefusal | null): JsonObject | null {
  return refusal && { since: formatInstant(refusal.since), reason: refusal.reason }
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

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
