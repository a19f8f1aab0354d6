import type { LoggedEvent } from '../../model/event.ts'
import type { Page } from '../../model/page.ts'
import type { EventQuery, PlacedEvent } from '../log-query-port.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { toLoggedEvent, type EventRow } from './event-rows.ts'
import { eventKinds, type EventKind } from './log-totals.ts'
import { NEWEST, newestFirst, pageOf, readPlace, type Place, type Stream } from './newest-first.ts'
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

function stream(index: string, condition: string): Query<Place> {
  return new Query(`
    SELECT stored_at AS key, ref FROM events INDEXED BY ${index}
    WHERE ${condition} AND (stored_at, ref) < (:key, :ref) AND stored_at >= :since
    ORDER BY stored_at DESC, ref DESC LIMIT CAST(:most AS INTEGER)`)
}

/** `LogQueryStore.eventPage`, inside one read transaction. */
export function eventPage(db: Connection, query: EventQuery): Page<LoggedEvent> {
  const { cursor, limit, until } = query
  const end = until === undefined ? NEWEST : { key: until, ref: Number.MIN_SAFE_INTEGER }
  const bodies = new BodyReader(db)
  const load = (ref: number): LoggedEvent | null => {
    const row = db.one(BY_REF, ref)
    return row !== undefined && matches(row, query) ? toLoggedEvent(row, bodies) : null
  }
  const places = newestFirst(streamsOf(db, query), earlier(readPlace(cursor, LIST) ?? NEWEST, end))
  return pageOf(places, { load, limit, list: LIST, most: Math.max(MOST_LOOKED_AT, limit) })
}

function earlier(one: Place, other: Place): Place {
  return one.key < other.key || (one.key === other.key && one.ref < other.ref) ? one : other
}

function streamsOf(db: Connection, query: EventQuery): readonly Stream[] {
  const { account, resource, subjectId, types } = query
  const since = query.since ?? Number.MIN_SAFE_INTEGER
  if (subjectId !== undefined) return [rows(db, OF_SUBJECT, { subjectId, since })]
  if (account === undefined && resource === undefined && types === undefined) return [rows(db, OF_ALL, { since })]
  const kinds = new Map(
    eventKinds(db)
      .filter((kind) => isAsked(kind, query))
      .map((kind) => [JSON.stringify([kind.account, kind.type]), kind]),
  )
  if (kinds.size > MOST_KINDS) return [rows(db, OF_ALL, { since })]
  return [...kinds.values()].map((kind) => rows(db, OF_KIND, { account: kind.account, type: kind.type, since }))
}

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number | null>>): Stream {
  return (before, most) => db.all(query, { ...values, ...before, most })
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
  return db.all(AFTER, place, limit).map((row) => ({ place: row.ref, event: toLoggedEvent(row, bodies) }))
}

export function lastPlace(db: Connection): number {
  return db.one(LAST)?.ref ?? 0
}
