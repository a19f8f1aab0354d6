import type { LearntUnit } from '../../model/learnt.ts'
import type { RowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'

export type UnitRow = RowOf<typeof TABLES.learnt>

export function unitRow(account: string, { activity, mix, name, resource, what }: LearntUnit): UnitRow {
  return { account, resource, what, name, ...activity, mix: what === 'page' ? JSON.stringify(mix) : null }
}

export function unitOf({ resource, what, name, changes, expected, at, mix }: UnitRow): LearntUnit {
  return { resource, what, name, mix: mix === null ? {} : JSON.parse(mix), activity: { changes, expected, at } }
}
