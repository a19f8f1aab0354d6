import type { Page } from '../../model/page.ts'
import type { EventQuery, PlacedEvent } from '../ports/log-query-port.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { toKeptEvent, type EventRow } from '../events/event-rows.ts'
import {
  EVENT_LIST,
  eventSpan,
  isAskedEvent,
  isOfKinds,
  kindsAsked,
  MOST_EVENTS_LOOKED_AT,
  type EventSpan,
} from './event-query.ts'
import { readPlace, type Order, type Place } from './place.ts'
import { eventKinds } from '../events/event-totals.sqlite.ts'
import { mergedPlaces, pageOf, type Stream } from './merged-places.sqlite.ts'
import { Query } from '../file/query.ts'

const OF_KIND = stream('events_kind', 'account IS :account AND type = :type')
const OF_SUBJECT = stream('events_subject', 'subject_id = :subjectId')
const OF_ALL = [stream('events_kept', 'expired_at IS NULL'), stream('events_bare', 'expired_at IS NOT NULL')]
const BY_REF = new Query<EventRow>('SELECT * FROM events WHERE ref = ?')

function stream(index: string, condition: string): Readonly<Record<Order, Query<Place>>> {
  const rows = `SELECT stored_at AS key, ref FROM events INDEXED BY ${index} WHERE ${condition}`
  const most = 'LIMIT CAST(:most AS INTEGER)'
  return {
    newest: new Query(
      `${rows} AND (stored_at, ref) < (:key, :ref) AND stored_at >= :bound ORDER BY stored_at DESC, ref DESC ${most}`,
    ),
    oldest: new Query(
      `${rows} AND (stored_at, ref) > (:key, :ref) AND stored_at < :bound ORDER BY stored_at, ref ${most}`,
    ),
  }
}

/** `LogQueryStore.eventPage`, inside one read transaction; `read` makes an item of each row. */
export function eventPage<T>(
  db: Connection,
  query: EventQuery,
  read: (row: EventRow, bodies: BodyReader) => T,
): Page<T> {
  const { cursor, limit } = query
  const bodies = new BodyReader(db)
  const load = (ref: number): T | null => {
    const row = db.one(BY_REF, ref)
    return row !== undefined && isAskedEvent(row, query) ? read(row, bodies) : null
  }
  const span = eventSpan(query, readPlace(cursor, EVENT_LIST))
  const places = mergedPlaces(streamsOf(db, query, span), span)
  return pageOf(places, { load, limit, list: EVENT_LIST, most: Math.max(MOST_EVENTS_LOOKED_AT, limit) })
}

function streamsOf(db: Connection, query: EventQuery, { bound, order }: EventSpan): readonly Stream[] {
  const { subjectId } = query
  if (subjectId !== undefined) return [rows(db, OF_SUBJECT[order], { subjectId, bound })]
  const kinds = isOfKinds(query) ? kindsAsked(eventKinds(db), query) : null
  if (kinds === null) return OF_ALL.map((all) => rows(db, all[order], { bound }))
  return kinds.map(({ account, type }) => rows(db, OF_KIND[order], { account, type, bound }))
}

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number | null>>): Stream {
  return (from, most) => db.all(query, { ...values, ...from, most })
}

const AFTER = new Query<EventRow>('SELECT * FROM events WHERE ref > ? ORDER BY ref LIMIT CAST(? AS INTEGER)')
const LAST = new Query<{ ref: number | null }>('SELECT max(ref) AS ref FROM events')

export function eventsAfter(db: Connection, place: number, limit: number): readonly PlacedEvent[] {
  const bodies = new BodyReader(db)
  return db.all(AFTER, place, limit).map((row) => Object.assign(toKeptEvent(row, bodies), { place: row.ref }))
}

export function lastPlace(db: Connection): number {
  return db.one(LAST)?.ref ?? 0
}
