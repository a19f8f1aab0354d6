import type { JsonObject } from '../../../model/json.ts'
import type { RecordState } from '../../../model/record-state.ts'
import type { RecordResource } from '../../../model/resource.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import type { View } from '../show-page.ts'

/** What is known of records of one resource, by their rows; those of which nothing is are left out. */
export async function statesOf(
  resource: RecordResource,
  rows: readonly RecordSummary[],
  { desk }: View,
): Promise<ReadonlyMap<RecordSummary, RecordState>> {
  const byAccount = [...Map.groupBy(rows, ({ account }) => account)]
  const found = await Promise.all(
    byAccount.map(async ([account, its]) => {
      const known = await desk.store.records(
        account,
        resource,
        its.map(({ id }) => id),
      )
      return its.flatMap((row) => {
        const state = known.get(row.id)
        return state === undefined ? [] : [[row, state] as const]
      })
    }),
  )
  return new Map(found.flat())
}

/** What records of one resource were read as last, by their rows; those of which nothing is known are left out. */
export async function objectsOf(
  resource: RecordResource,
  rows: readonly RecordSummary[],
  view: View,
): Promise<ReadonlyMap<RecordSummary, JsonObject>> {
  const states = await statesOf(resource, rows, view)
  return new Map([...states].flatMap(([row, { seen }]) => (seen === null ? [] : [[row, seen] as const])))
}
