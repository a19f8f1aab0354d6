import type { AccountSettings } from '../model/account.ts'
import type { LearnedCeiling } from '../model/account-limits.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { watchedAs, type RecordResource, type Watchable } from '../model/resource.ts'
import type { Delay } from '../plan/forecast.ts'
import { delayJson } from './delay.ts'

export interface AccountPlan {
  readonly account: string
  readonly budget: AccountSettings['budget']
  /** Accounts that share the key, this one among them. */
  readonly tenants: number
  /** The ceiling of its key, below its budget; null: none is known, or the budget is only supposed. */
  readonly ceiling: LearnedCeiling | null
  /** Whether anything of the account was ever read. */
  readonly isKnown: boolean
  /** The plan of each resource, in the order of the configuration reference. */
  readonly resources: readonly ResourcePlan[]
  /** Requests an hour: that may be sent, that are expected to be, and that keeping every refresh target takes. */
  readonly allowedPerHour: number
  readonly requestsPerHour: number
  readonly neededPerHour: number
  /** Requests an hour that audits of lists take at most; 0 where none are made. */
  readonly auditedPerHour: number
  readonly fits: boolean
  /** The smallest `requests` of the budget, for its own `per`, that keep all refresh targets, if the platform bears them; null: none do. */
  readonly smallestBudget: number | null
  /** What the past would have been; null: not asked. */
  readonly replay: AccountReplay | null
}

export interface ResourcePlan {
  readonly watch: Watchable
  /** What one request reads. */
  readonly each: 'page' | 'item'
  readonly isKnown: boolean
  /** Why the key may not read the resource although others answer, so that its refresh target is not kept; null: it may. */
  readonly refused: string | null
  readonly weight: number
  /** `every` as configured, as it can be kept now, and as it could be configured for all where it cannot. */
  readonly everyMs: number
  readonly keptEveryMs: number
  readonly bearableEveryMs: number
  /** Requests that reading all of it takes. */
  readonly requests: number
  readonly requestsPerHour: number
  /** The requests that the refresh target takes as it is kept; the others go where change is likely, or was announced. */
  readonly targetPerHour: number
  /** The time between two reads of one, on average; null: there is nothing to read. */
  readonly readEveryMs: number | null
  readonly delay: Delay | null
}

export interface AccountReplay {
  /** What was replayed: the last of what the log holds. */
  readonly from: number
  readonly to: number
  readonly resources: readonly ResourceReplay[]
}

export interface ResourceReplay {
  readonly resource: RecordResource
  readonly changes: number
  /** The delay of the changes as they were seen in truth; `asIs`: with the budget as it is; `supposed`: with the supposed one. */
  readonly recorded: Delay | null
  readonly asIs: Delay | null
  readonly supposed: Delay | null
  /** Changes that the supposed budget would not have seen by the end; they count as seen then. */
  readonly unseen: number
}

/** What `plan --json` prints; docs/reference/json-output.md lists the names. */
export function planJson(plans: readonly AccountPlan[]): JsonObject {
  return { fits: plans.every(({ fits }) => fits), accounts: plans.map(accountJson) }
}

function accountJson(plan: AccountPlan): JsonObject {
  const { budget, ceiling, fits } = plan
  return {
    name: plan.account,
    fits,
    known: plan.isKnown,
    budget: { requests: budget.requests, per_seconds: budget.perMs / 1_000, share: budget.share },
    accounts_of_key: plan.tenants,
    ceiling: ceiling === null ? null : { fraction: ceiling.fraction, since: formatInstant(ceiling.loweredAt) },
    requests_per_hour: {
      allowed: rounded(plan.allowedPerHour),
      expected: rounded(plan.requestsPerHour),
      promised: rounded(plan.neededPerHour),
      audited: rounded(plan.auditedPerHour),
    },
    smallest_budget: plan.smallestBudget,
    resources: plan.resources.map((resource) => resourceJson(resource, fits)),
    replay: plan.replay && {
      from: formatInstant(plan.replay.from),
      to: formatInstant(plan.replay.to),
      resources: plan.replay.resources.map(({ resource, changes, unseen, recorded, asIs, supposed }) => ({
        resource: watchedAs(resource),
        changes,
        recorded: delayJson(recorded),
        as_is: delayJson(asIs),
        supposed: delayJson(supposed),
        unseen,
      })),
    },
  }
}

function resourceJson(plan: ResourcePlan, fits: boolean): JsonObject {
  return {
    resource: plan.watch,
    known: plan.isKnown,
    refused: plan.refused,
    weight: plan.weight,
    every_seconds: plan.everyMs / 1_000,
    kept_every_seconds: rounded(plan.keptEveryMs / 1_000),
    bearable_every_seconds: fits ? plan.everyMs / 1_000 : Math.ceil(plan.bearableEveryMs / 1_000),
    each: plan.each,
    requests: plan.requests,
    requests_per_hour: rounded(plan.requestsPerHour),
    promised_per_hour: rounded(plan.targetPerHour),
    read_every_seconds: plan.readEveryMs === null ? null : rounded(plan.readEveryMs / 1_000),
    delay: delayJson(plan.delay),
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000
}
