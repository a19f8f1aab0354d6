import type { Page } from '../../model/page.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordQuery, RecordSummary } from '../../store/ports/record-query-port.ts'
import type { DeskStore } from '../admin-context.ts'
import { csvColumns } from './csv-columns.ts'
import { csvLine } from './csv.ts'

/** How many rows are read together: few enough that pages hardly wait for them. */
const ROWS = 200

/** Some rows of a table, and where the next ones begin; null: these are the last. */
export interface CsvSlice {
  readonly text: string
  readonly next: string | null
}

/** The rows of a list from a cursor on; without one the head comes first. Each slice is read by itself. */
export async function csvSlice(
  store: Pick<DeskStore, 'recordPage' | 'records'>,
  query: Omit<RecordQuery, 'limit'>,
): Promise<CsvSlice> {
  const columns = csvColumns(query.resource)
  const head = query.cursor === undefined ? csvLine(columns.map(([name]) => name)) : ''
  const { items, next }: Page<RecordSummary> = await store.recordPage({ ...query, limit: ROWS })
  const states = await statesOf(store, items)
  const lines = items.map((record, nth) => csvLine(columns.map(([, cell]) => cell({ record, state: states[nth] }))))
  return { text: head + lines.join(''), next }
}

async function statesOf(
  store: Pick<DeskStore, 'records'>,
  records: readonly RecordSummary[],
): Promise<readonly (RecordState | undefined)[]> {
  const found = new Map<string, ReadonlyMap<string, RecordState>>()
  for (const [account, its] of Map.groupBy(records, (record) => record.account)) {
    const ids = its.map(({ id }) => id)
    const [first] = its
    if (first !== undefined) found.set(account, await store.records(account, first.resource, ids))
  }
  return records.map(({ account, id }) => found.get(account)?.get(id))
}
