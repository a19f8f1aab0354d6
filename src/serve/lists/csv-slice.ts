import { hash } from 'node:crypto'
import type { Page } from '../../model/page.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordQuery, RecordSummary } from '../../store/ports/record-query-port.ts'
import type { DeskStore } from '../admin-context.ts'
import { csvColumns } from './csv-columns.ts'
import { csvLine } from './csv.ts'

/** How many rows are read together: few enough that pages hardly wait for them. */
const ROWS = 200

/** A record as a line of a table. */
export interface CsvRow {
  /** Tells the record from all others. */
  readonly key: string
  readonly line: string
  /** When the record rang last; 0: it never did. */
  readonly rangAt: number
}

/** Some rows of a table, and where the next ones begin; null: these are the last. */
export interface CsvRows {
  /** The names of the columns. */
  readonly head: string
  readonly rows: readonly CsvRow[]
  readonly next: string | null
}

/** The rows of a list from a cursor on. Each slice is read by itself. */
export async function csvRows(
  store: Pick<DeskStore, 'recordPage' | 'records'>,
  query: Omit<RecordQuery, 'limit'>,
): Promise<CsvRows> {
  const columns = csvColumns(query.resource)
  const { items, next }: Page<RecordSummary> = await store.recordPage({ ...query, limit: ROWS })
  const states = await statesOf(store, items)
  const rows = items.map((record, nth) => ({
    key: keyOf(record),
    line: csvLine(columns.map(([, cell]) => cell({ record, state: states[nth] }))),
    rangAt: record.lastEventAt ?? 0,
  }))
  return { head: csvLine(columns.map(([name]) => name)), rows, next }
}

/** A short key: the keys of all rows that were sent are remembered. */
function keyOf({ account, id }: RecordSummary): string {
  return hash('sha256', `${account} ${id}`, 'base64').slice(0, 16)
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
