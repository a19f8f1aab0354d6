import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { Backfill, LoggedRow, LogPage, LogQuery, LogStore } from '../ports/log-port.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { laneOf } from '../deliveries/new-delivery.ts'
import { DeliveryWriter, retryDelivery } from '../deliveries/delivery-rows.sqlite.ts'
import { type EventRow, toLoggedEvent } from './event-rows.ts'
import { firstSince } from './event-totals.sqlite.ts'
import { saveNotifiedDates } from '../records/date-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { addSample } from './event-rows.sqlite.ts'

const PAGE = new Query<LogRow>(`
  SELECT event.*, delivery.id AS delivery, ifnull(delivery.state, '') = 'delivered' AS delivered,
    stored_at >= :since AND (:to IS NULL OR cause <> 'test') AS asked
  FROM events AS event LEFT JOIN deliveries AS delivery ON delivery.event = event.ref AND delivery.subscription = :to
  WHERE event.ref > :after ORDER BY event.ref LIMIT :limit`)
const FIND = new Query<Pick<EventRow, 'ref' | 'cause' | 'account' | 'resource' | 'subject_id'>>(
  'SELECT ref, cause, account, resource, subject_id FROM events WHERE id = ? AND expired_at IS NULL',
)

const ROW = new Query<{ id: string }>('SELECT id FROM deliveries WHERE event = ? AND subscription = ?')

interface LogRow extends EventRow {
  /** Id of the row that the event has of the subscription. */
  readonly delivery: string | null
  readonly delivered: number
  readonly asked: number
}

export function logStore(db: Connection): LogStore {
  return {
    log: (query) => db.read(() => readPage(db, query)),
    backfill: (backfill) => db.write(() => fill(db, backfill)),
    addSample: (sample) => db.write(() => addSample(db, sample)),
  }
}

function readPage(db: Connection, { since, after, rowsOf, undelivered = false, limit }: LogQuery): LogPage {
  // The log is in the order of storing, but where the clock was set back: the first of them is found once for all pages.
  const place = after ?? firstSince(db, since) - 1
  const looked = db.all(PAGE, { since, after: place, to: rowsOf ?? null, limit })
  const asked = looked.filter((row) => row.asked === 1 && !(undelivered && row.delivered === 1))
  const bodies = new BodyReader(db)
  return {
    events: asked.map((row) => toLoggedEvent(row, bodies)),
    rows: new Map(asked.flatMap((row) => (row.delivery === null ? [] : [[row.id, rowOf(row, row.delivery)]]))),
    end: looked.length < limit ? null : (looked.at(-1)?.ref ?? null),
  }
}

function rowOf({ delivered }: LogRow, id: string): LoggedRow {
  return { id, delivered: delivered === 1 }
}

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
