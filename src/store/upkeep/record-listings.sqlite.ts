import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { byList, listedColumns, type UnlistedRow } from '../records/record-listings.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'

const UNLISTED_ROWS = new Query<UnlistedRow>(`
  SELECT ref, account, resource, id FROM records INDEXED BY records_unlisted WHERE ending = -1 ORDER BY ref LIMIT ?`)
const LIST = `
  UPDATE records SET kind = :kind, totals = :totals, ending = :ending, eta_at = :etaAt, drift = :drift WHERE ref = :ref`

/** Lists records of earlier versions: `RetentionStore.listRecords`. One statement for each, because SQLite answers at once. */
export function listRecords(db: Connection, most: number): number {
  const rows = db.all(UNLISTED_ROWS, most)
  for (const list of byList(rows)) {
    const states = loadRecords(
      db,
      list[0],
      list.map(({ id }) => id),
    )
    for (const row of list) db.run(LIST, listedColumns(row, states.get(row.id)))
  }
  return rows.length
}
