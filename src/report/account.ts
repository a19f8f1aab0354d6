import { formatInstant, formatInstantOrNull } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { IncompletePasses } from '../model/list-gaps.ts'
import type { ResourceRefusal } from '../model/record-state.ts'
import { watchedAs } from '../model/resource.ts'
import type { AccountOverview, ListOverview } from '../store/ports/query-port.ts'
import { auditJson } from './audit.ts'
import { ceilingJson, delaysJson, type Freshness } from './freshness.ts'

export interface AccountNow {
  readonly now: number
  readonly fresh: Freshness | undefined
}

export function accountJson(account: AccountOverview, { fresh, now }: AccountNow): JsonObject {
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
      last_complete_pass_at: formatInstantOrNull(list.completedAt),
      baselined_at: formatInstantOrNull(list.baselinedAt),
      newest_read_at: formatInstantOrNull(list.newestReadAt),
      oldest_read_at: formatInstantOrNull(list.oldestReadAt),
      refused: refusedJson(refusalOf(account, list)),
      incomplete: incompleteJson(incompleteOf(list)),
      audit: auditJson(list.audit, now),
      ...delaysJson(fresh?.resources.find(({ resource }) => resource === list.resource)),
    })),
  }
}

/** An account without a record of its own never had a failure. */
export function healthOf({ record }: AccountOverview): 'ok' | 'degraded' | 'unauthorized' {
  return record?.memory.health?.state ?? 'ok'
}

/** How long the platform is left alone as of now; null where it is not. */
export function pauseAt({ pause }: AccountOverview, now: number): AccountOverview['pause'] {
  return pause !== null && pause.notBefore > now ? pause : null
}

/** Why the key may not read a list although others answer; null where it may. */
export function refusalOf({ record }: AccountOverview, list: ListOverview | null): ResourceRefusal | null {
  return (list && record?.memory.refused?.[watchedAs(list.resource)]) ?? null
}

/** Why a list is not read whole, once that rang; null where it is. */
export function incompleteOf({ gaps: { incomplete } }: Pick<ListOverview, 'gaps'>): IncompletePasses | null {
  return incomplete?.hasRung === true ? incomplete : null
}

function incompleteJson(incomplete: IncompletePasses | null): JsonObject | null {
  return incomplete && { since: formatInstant(incomplete.since), skip: incomplete.skip, reason: incomplete.reason }
}

function refusedJson(refusal: ResourceRefusal | null): JsonObject | null {
  return refusal && { since: formatInstant(refusal.since), reason: refusal.reason }
}
