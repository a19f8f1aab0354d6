import type { Page } from '../../model/page.ts'
import { outlinedText } from '../../model/record-outline.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames } from '../accounts/account-names.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { LAST, readPlace, type Place } from './place.ts'
import { toSummary, type SummaryRow } from './record-summary.ts'
import { mergedPlaces, pageOf, type Stream } from './merged-places.sqlite.ts'
import { Query } from '../file/query.ts'

const LIST = 'records'

const BY_EVENT = new Query<Place>(`
  SELECT last_event_at AS key, ref FROM records INDEXED BY records_rang
  WHERE account = CAST(? AS TEXT) AND resource = CAST(? AS TEXT) AND (last_event_at, ref) < (?, ?)
  ORDER BY last_event_at DESC, ref DESC LIMIT ?`)
const OF_STATUS = new Query<Place>(`
  SELECT last_event_at AS key, ref FROM records INDEXED BY records_status
  WHERE account = CAST(? AS TEXT) AND resource = CAST(? AS TEXT) AND status = CAST(? AS TEXT)
    AND (last_event_at, ref) < (?, ?)
  ORDER BY last_event_at DESC, ref DESC LIMIT ?`)
const ROW = new Query<SummaryRow>(`
  SELECT records.account, records.resource, records.id, name, status, removed_at, version, last_event_at, due_day,
    ifnull(pages.answered_at, reads.answered_at) AS last_read_at
  FROM records JOIN reads USING (account, resource, id) LEFT JOIN pages ON pages.ref = reads.page
  WHERE records.ref = ?`)

/** Records by their newest event: `RecordQueryStore.recordPage` without `q` and `due`, inside the caller's transaction. */
export function newestRecords(db: Connection, query: Omit<RecordQuery, 'q' | 'due'>): Page<RecordSummary> {
  const { account, cursor, limit, resource, status } = query
  const streams = accountNames(db, account).map((name): Stream => {
    if (status === undefined) return ({ key, ref }, most) => db.all(BY_EVENT, name, resource, key, ref, most)
    const text = outlinedText(status)
    return ({ key, ref }, most) => db.all(OF_STATUS, name, resource, text, key, ref, most)
  })
  const places = mergedPlaces(streams, { from: readPlace(cursor, LIST) ?? LAST, order: 'newest' })
  return pageOf(places, { load: (ref) => loadSummary(db, ref), limit, list: LIST, most: 2 * limit })
}

/** null where nothing was read of the record. */
export function loadSummary(db: Connection, ref: number): RecordSummary | null {
  const row = db.one(ROW, ref)
  return row === undefined ? null : toSummary(row)
}
