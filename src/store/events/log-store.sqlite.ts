import { SQLITE } from '../reports/dialect.sqlite.ts'
import { atOnce } from '../reports/lookup.ts'
import { logPages } from './log-store.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { Backfill, LogStore } from '../ports/log-port.ts'
import type { Connection } from '../file/connection.ts'
import { laneOf } from '../deliveries/new-delivery.ts'
import { DeliveryWriter, retryDelivery } from '../deliveries/delivery-rows.sqlite.ts'
import { type EventRow } from './event-rows.ts'
import { saveNotifiedDates } from '../records/date-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { addSample } from './event-rows.sqlite.ts'

const PAGES = logPages(SQLITE)
const FIND = new Query<Pick<EventRow, 'ref' | 'cause' | 'account' | 'resource' | 'subject_id'>>(
  'SELECT ref, cause, account, resource, subject_id FROM events WHERE id = ? AND expired_at IS NULL',
)

const ROW = new Query<{ id: string }>('SELECT id FROM deliveries WHERE event = ? AND subscription = ?')

export function logStore(db: Connection): LogStore {
  return {
    logPage: (query) => db.read(() => atOnce(PAGES(db, query))),
    backfill: (backfill) => db.write(() => fill(db, backfill)),
    addSample: (sample) => db.write(() => addSample(db, sample)),
  }
}

/** `LogStore.backfill`, row by row, because a statement of SQLite is no round trip. */
function fill(db: Connection, { deliveries, dates = [], at }: Backfill): readonly string[] {
  for (const of of dates) saveNotifiedDates(db, of.account ?? NO_ACCOUNT, of.dates)
  const rows = new DeliveryWriter(db)
  return deliveries.flatMap((draft) => seeTo(db, rows, { draft, at }))
}

function seeTo(
  db: Connection,
  rows: DeliveryWriter,
  { draft, at }: { readonly draft: DeliveryDraft; readonly at: number },
): readonly string[] {
  const event = db.one(FIND, draft.eventId)
  if (event === undefined) return []
  const { account, cause, ref, resource, subject_id: id } = event
  const lane = laneOf({ account, subject: { resource, id } })
  const made = rows.insert(draft, { ref, dueAt: at, test: cause === 'test', lane })
  if (made !== null) return [made]
  const row = db.one(ROW, ref, draft.subscription)
  return row === undefined || retryDelivery(db, row.id, { at, delivered: false }) === null ? [] : [row.id]
}
