import type { DueRange } from '../../model/due-choice.ts'
import type { Page } from '../../model/page.ts'
import { dayNumber } from '../../model/record-outline.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames } from '../accounts/account-names.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { comparePlaces, FIRST, LAST, readPlace, type Place } from './place.ts'
import { isAskedRecord } from './record-summary.ts'
import { mergedPlaces, pageOf, type Stream } from './merged-places.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadSummary } from './record-list.sqlite.ts'

const LIST = 'due'

const BY_DUE_DATE = new Query<Place>(`
  SELECT due_day AS key, ref FROM records INDEXED BY records_due
  WHERE account = CAST(? AS TEXT) AND due_day IS NOT NULL AND removed_at IS NULL AND (due_day, ref) > (?, ?) AND due_day <= ?
  ORDER BY due_day, ref LIMIT ?`)

type DueQuery = RecordQuery & { readonly due: (account: string) => DueRange }

/** Invoices that have yet to be paid, the one that falls due first at the top, inside the caller's transaction. */
export function dueRecords(db: Connection, query: DueQuery): Page<RecordSummary> {
  const { account, cursor, due, limit, resource } = query
  if (resource !== 'invoice') return { items: [], next: null }
  const streams = accountNames(db, account).map((name): Stream => {
    const { from, to } = due(name)
    const begin = from === null ? FIRST : { key: dayNumber(from), ref: FIRST.ref }
    const end = to === null ? LAST.key : dayNumber(to)
    return (place, most) => {
      const { key, ref } = comparePlaces(place, begin) < 0 ? begin : place
      return db.all(BY_DUE_DATE, name, key, ref, end, most)
    }
  })
  const places = mergedPlaces(streams, { from: readPlace(cursor, LIST) ?? FIRST, order: 'oldest' })
  const load = (ref: number): RecordSummary | null => {
    const found = loadSummary(db, ref)
    return found !== null && isAskedRecord(found, query) ? found : null
  }
  return pageOf(places, { load, limit, list: LIST, most: 2 * limit })
}
