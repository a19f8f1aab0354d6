import { byList, listedColumns, type UnlistedRow } from '../records/record-listings.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { TABLES } from '../tables/tables.ts'

// Who lists waits for nobody, because others may hold these rows for a commit: what is held is listed by it.
const UNLISTED_ROWS = new Query<UnlistedRow>(`
  SELECT ref, account, resource, id FROM records WHERE ending = -1 ORDER BY ref LIMIT :most FOR UPDATE SKIP LOCKED`)
const LISTED = TABLES.records.only('ref kind totals ending eta_at drift')
const LIST = new Query(`
  UPDATE records SET ${LISTED.without('ref').assigned('row')}
  FROM ${LISTED.unnested()} AS row (${LISTED.names}) WHERE records.ref = row.ref`)

/** Lists records of earlier versions: `RetentionStore.listRecords`. */
export async function listRecords(db: Database, tx: Transaction, most: number): Promise<number> {
  const rows = await tx.all(UNLISTED_ROWS, { most })
  if (rows.length === 0) return 0
  const listed = []
  for (const list of byList(rows)) {
    const states = await loadRecords(db, list[0], { ids: list.map(({ id }) => id), tx })
    for (const row of list) {
      const { etaAt: eta_at, ...columns } = listedColumns(row, states.get(row.id))
      listed.push({ ...columns, eta_at })
    }
  }
  await tx.run(LIST, LISTED.listed(listed))
  return rows.length
}
