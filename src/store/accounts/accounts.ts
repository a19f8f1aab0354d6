import type { LearntUnit } from '../../model/learnt.ts'
import type { RowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'
import type { AccountRestraint } from '../../model/account-limits.ts'

export type UnitRow = RowOf<typeof TABLES.learnt>

export function unitRow(account: string, { activity, mix, name, resource, what }: LearntUnit): UnitRow {
  return { account, resource, what, name, ...activity, mix: what === 'page' ? JSON.stringify(mix) : null }
}

export function unitOf({ resource, what, name, changes, expected, at, mix }: UnitRow): LearntUnit {
  return { resource, what, name, mix: mix === null ? {} : JSON.parse(mix), activity: { changes, expected, at } }
}

/** What an account's row keeps as JSON; null: nothing holds the account back. */
export interface RestraintRow {
  readonly pause: string | null
  readonly ceiling: string | null
}

/** `undefined`: the account has no row yet. */
export function restraintOf(row: RestraintRow | undefined): AccountRestraint {
  const { ceiling = null, pause = null } = row ?? {}
  return {
    pause: pause === null ? null : JSON.parse(pause),
    ceiling: ceiling === null ? null : JSON.parse(ceiling),
  }
}

/** Rejections that are kept of a resource of an account: the newest. */
export const MOST_OF_A_RESOURCE = 50_000
