import type { LearnedCeiling } from '../model/account-limits.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'
import type { Delay } from '../plan/forecast.ts'
import { delayJson } from './delay.ts'

/** How soon the changes of an account are seen. */
export interface Freshness {
  readonly account: string
  /** What the account's key bears of its budget; null: all, as far as is known. */
  readonly ceiling: LearnedCeiling | null
  readonly resources: readonly ResourceFreshness[]
  /** Whether the budget keeps every refresh target; left out: the configuration cannot be read, or does not have the account. */
  readonly fits?: boolean
}

export interface ResourceFreshness {
  readonly resource: RecordResource
  /**
   * The delay that the plan foresees; null: the resource is not watched, no change is to be expected, or the configuration
   * cannot be read.
   */
  readonly expected: Delay | null
  /** The delay of the changes that were seen in the last 7 days; null: none was. */
  readonly achieved: Delay | null
  readonly changes: number
}

export function ceilingJson({ ceiling }: Freshness): JsonObject | null {
  return ceiling && { fraction: ceiling.fraction, since: formatInstant(ceiling.loweredAt) }
}

/** The delays of a resource as JSON; those of one of which nothing is known where there is none. */
export function delaysJson(freshness: ResourceFreshness | undefined): JsonObject {
  return {
    expected_delay: delayJson(freshness?.expected ?? null),
    achieved_delay: delayJson(freshness?.achieved ?? null),
    changes_seen: freshness?.changes ?? 0,
  }
}
