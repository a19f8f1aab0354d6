import type { JsonObject } from '../../../model/json.ts'
import type { RecordResource } from '../../../model/resource.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import type { View } from '../show-page.ts'

/** What records of one resource were read as last, by their rows; those of which nothing is known are left out. */
export async function objectsOf(
  resource: RecordResource,
  rows: readonly RecordSummary[],
  { desk }: View,
): Promise<ReadonlyMap<RecordSummary, JsonObject>> {
  const byAccount = [...Map.groupBy(rows, ({ account }) => account)]
  const found = await Promise.all(
    byAccount.map(async ([account, its]) => {
      const known = await desk.store.records(
        account,
        resource,
        its.map(({ id }) => id),
      )
      return its.flatMap((row) => {
        const seen = known.get(row.id)?.seen ?? null
        return seen === null ? [] : [[row, seen] as const]
      })
    }),
  )
  return new Map(found.flat())
}
