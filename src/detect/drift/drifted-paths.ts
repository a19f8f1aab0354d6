import type { FieldTree } from '../../model/field-tree.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RecordResource } from '../../model/resource.ts'
import { comparedView } from '../ignore/compared-view.ts'
import { DEEPEST } from '../deepest.ts'
import { nestsDeeperThan } from '../../model/nests-deeper-than.ts'
import { RESOURCE_RULES } from '../resource-rules.ts'
import { foreignPaths } from './foreign-paths.ts'

const LEAST_RECORDS = 10
/** Absorbed paths are kept with the list: a platform that invents fields without end must not make it grow without end. */
const MOST_ABSORBED = 200

export interface DriftInput {
  readonly resource: RecordResource
  /** Of one page. */
  readonly records: Iterable<JsonObject>
  /** How many rows the page has, those that cannot be understood among them. */
  readonly rows: number
  readonly fields: FieldTree
  readonly ignore: readonly string[]
  /** Absorbed before. */
  readonly absorbed: readonly string[]
}

/**
 * The fields outside the interface that a page shows to be the platform's doing rather than a record's (contract section
 * 3.8): on at least ten records and half of the rows. JSON Pointers with `*` for elements, without those absorbed before.
 */
export function driftedPaths(input: DriftInput): readonly string[] {
  const { absorbed, fields, records, resource, rows } = input
  const view = comparedView(RESOURCE_RULES[resource].shape, input.ignore)
  const counts = new Map<string, number>()
  for (const record of records) {
    if (nestsDeeperThan(record, DEEPEST)) continue
    for (const path of foreignPaths(view.of(record), fields)) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const least = Math.max(LEAST_RECORDS, rows / 2)
  const drifted = [...counts].filter(([path, count]) => count >= least && !absorbed.includes(path))
  const room = Math.max(0, MOST_ABSORBED - absorbed.length)
  return drifted.map(([path]) => path).slice(0, room)
}
