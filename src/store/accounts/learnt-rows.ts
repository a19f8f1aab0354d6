import type { LearntUnit } from '../../model/learnt.ts'

export interface UnitRow {
  readonly resource: LearntUnit['resource']
  readonly what: LearntUnit['what']
  readonly name: string
  readonly changes: number
  readonly expected: number
  readonly at: number
  readonly mix: string | null
}

export function unitRow({ activity, mix, name, resource, what }: LearntUnit): UnitRow {
  return { resource, what, name, ...activity, mix: what === 'page' ? JSON.stringify(mix) : null }
}

export function unitOf({ resource, what, name, changes, expected, at, mix }: UnitRow): LearntUnit {
  return { resource, what, name, mix: mix === null ? {} : JSON.parse(mix), activity: { changes, expected, at } }
}
