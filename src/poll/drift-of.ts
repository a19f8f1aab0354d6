import { driftedPaths } from '../detect/drift/drifted-paths.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { ListOptions } from './list-options.ts'
import type { PageOfRows } from './page-of-rows.ts'

/** The fields that a page shows to be new to the platform's interface. */
export function driftOf(options: ListOptions, absorbed: readonly string[], page: PageOfRows): readonly string[] {
  const { account, fields, watch } = options
  const resource = RECORD_OF[watch]
  const rows = [...page.records.values()]
  return driftedPaths({
    resource,
    news: rows.filter(({ isKnown }) => !isKnown).map(({ record }) => record),
    known: () => rows.filter(({ isKnown }) => isKnown).map(({ record }) => record),
    rows: rows.length + page.rejectedIds.length,
    rowsBefore: page.before?.ids.size ?? null,
    fields: fields[resource],
    ignore: ignoredPaths(account, resource),
    absorbed,
  })
}
