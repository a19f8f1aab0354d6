import type { AccountPlan, ResourcePlan } from '../app/account-plan.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { delayJson } from './delay-json.ts'
import { watchedAs } from '../model/resource.ts'

/** What `plan --json` prints; README lists the names. */
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
    promised_per_hour: rounded(plan.promisedPerHour),
    read_every_seconds: plan.readEveryMs === null ? null : rounded(plan.readEveryMs / 1_000),
    delay: delayJson(plan.delay),
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000
}
