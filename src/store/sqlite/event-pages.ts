import type { Page } from '../../model/page.ts'
import type { EventQuery, PlacedEvent } from '../log-query-port.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { toKeptEvent, type EventRow } from '../common/event-row.ts'
import { eventKinds, type EventKind } from './log-totals.ts'
import {
  comparePlaces,
  FIRST,
  LAST as END,
  mergedPlaces,
  pageOf,
  readPlace,
  type Order,
  type Place,
  type Stream,
} from './merged-places.ts'
import { Query } from './query.ts'

const LIST = 'events'

/** Events that a page looks at where it is not found by an index alone: some milliseconds. */
const MOST_LOOKED_AT = 1_000
/** Kinds of events, by account and type, from which a page is merged; beyond them the log is looked through. */
const MOST_KINDS = 1_000

const OF_KIND = stream('events_kind', 'account IS :account AND type = :type')
const OF_SUBJECT = stream('events_subject', 'subject_id = :subjectId')
const OF_ALL = stream('events_time', 'true')
const BY_REF = new Query<EventRow>('SELECT * FROM events WHERE ref = ?')

/** `bound`: what may not be passed, at the far end. */
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
    return row !== undefined && matches(row, query) ? read(row, bodies) : null
  }
  const span = spanOf(query, readPlace(cursor, LIST))
  const places = mergedPlaces(streamsOf(db, query, span), span)
  return pageOf(places, { load, limit, list: LIST, most: Math.max(MOST_LOOKED_AT, limit) })
}

interface Span {
  readonly order: Order
  readonly from: Place
  readonly bound: number
}

function spanOf({ oldestFirst, since, until }: EventQuery, after: Place | undefined): Span {
  const begin = since === undefined ? FIRST : { key: since, ref: FIRST.ref }
  const end = until === undefined ? END : { key: until, ref: FIRST.ref }
  if (oldestFirst === true) {
    return {
      order: 'oldest',
      from: comparePlaces(after ?? FIRST, begin) < 0 ? begin : (after ?? begin),
      bound: end.key,
    }
  }
  return { order: 'newest', from: comparePlaces(after ?? END, end) > 0 ? end : (after ?? end), bound: begin.key }
}

function streamsOf(db: Connection, query: EventQuery, { bound, order }: Span): readonly Stream[] {
  const { account, resource, subjectId, types } = query
  if (subjectId !== undefined) return [rows(db, OF_SUBJECT[order], { subjectId, bound })]
  if (account === undefined && resource === undefined && types === undefined)
    return [rows(db, OF_ALL[order], { bound })]
  const kinds = new Map(
    eventKinds(db)
      .filter((kind) => isAsked(kind, query))
      .map((kind) => [JSON.stringify([kind.account, kind.type]), kind]),
  )
  if (kinds.size > MOST_KINDS) return [rows(db, OF_ALL[order], { bound })]
  return [...kinds.values()].map(({ account: of, type }) => rows(db, OF_KIND[order], { account: of, type, bound }))
}

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number | null>>): Stream {
  return (from, most) => db.all(query, { ...values, ...from, most })
}

function isAsked(kind: EventKind, { account, resource, types }: EventQuery): boolean {
  return (
    (account === undefined || kind.account === account) &&
    (resource === undefined || kind.resource === resource) &&
    (types === undefined || types.includes(kind.type))
  )
}

function matches(row: EventRow, query: EventQuery): boolean {
  return isAsked(row, query) && (query.subjectId === undefined || row.subject_id === query.subjectId)
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
