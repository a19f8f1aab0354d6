import { type AccountSettings } from '../model/account.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { auditSum, mostDiffering, type AuditSum, type ListAudit } from '../model/list-audit.ts'
import { watchedAs, type Watchable } from '../model/resource.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'

/** What samples of a list came to within a week. */
export interface AuditLine {
  readonly account: string
  readonly resource: Watchable
  readonly sum: AuditSum
  /** Since when the list is stale; null: it is not. */
  readonly staleSince: number | null
}

/** Accounts as configured, as far as that says whether their lists are audited. */
export type AuditedAccounts = readonly Pick<AccountSettings, 'audit' | 'name' | 'watch'>[] | null

/** The lists that are audited and were sampled; where the configuration cannot be read, all that were. */
export function auditLines(
  accounts: readonly AccountOverview[],
  settings: AuditedAccounts,
  now: number,
): readonly AuditLine[] {
  return accounts.flatMap(({ account, lists }) =>
    lists.flatMap(({ audit, resource }): readonly AuditLine[] => {
      const watch = watchedAs(resource)
      if (audit === null || !isAudited(settings, account, watch)) return []
      return [{ account, resource: watch, sum: auditSum(audit, now), staleSince: audit.episode?.since ?? null }]
    }),
  )
}

function isAudited(settings: AuditedAccounts, account: string, watch: Watchable): boolean {
  if (settings === null) return true
  const own = settings.find(({ name }) => name === account)
  return own !== undefined && own.audit !== false && own.watch[watch] !== undefined
}

/** `0 of 400 differed; at most 0.75 % with 95 % confidence` */
export function auditWords(sum: AuditSum): string {
  const most = mostDiffering(sum)
  if (most === null) return 'none sampled lately'
  return `${sum.differed} of ${sum.sampled} differed; at most ${(100 * most).toFixed(2)} % with 95 % confidence`
}

export function auditJson(audit: ListAudit | null, now: number): JsonObject | null {
  if (audit === null) return null
  const { differed, sampled } = auditSum(audit, now)
  const most = mostDiffering({ differed, sampled })
  const atMost = most === null ? null : Math.round(most * 1e6) / 1e6
  const since = audit.episode?.since ?? null
  return { sampled, differed, at_most: atMost, stale_since: since === null ? null : formatInstant(since) }
}
