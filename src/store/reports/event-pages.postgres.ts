import type { Page } from '../../model/page.ts'
import type { EventQuery, PlacedEvent } from '../ports/log-query-port.ts'
import {
  EVENT_LIST,
  eventSpan,
  isAskedEvent,
  isOfKinds,
  kindsAsked,
  MOST_EVENTS_LOOKED_AT,
  type EventSpan,
} from './event-query.ts'
import { toKeptEvent, type Documents, type EventRow } from '../events/event-rows.ts'
import { readPlace, type Order, type Place } from './place.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { Transaction } from '../server/database.ts'
import { documentsOfEvents, type EventSource } from '../documents/event-documents.postgres.ts'
import { eventKinds } from '../events/event-totals.postgres.ts'
import { NO_STREAMS, pageOf, type Streams, type StreamPlace } from './merged-places.postgres.ts'
import { Query, type BoundValues } from '../server/query.ts'

const OF_KIND = {
  newest: ofKind('(stored_at, ref) < (:key, :ref) AND stored_at >= :bound ORDER BY stored_at DESC, ref DESC'),
  oldest: ofKind('(stored_at, ref) > (:key, :ref) AND stored_at < :bound ORDER BY stored_at, ref'),
} as const
const OF_SUBJECT = stream(
  'hashtextextended(subject_id, 0) = hashtextextended(:subjectId, 0) AND subject_id = :subjectId',
)
const OF_ALL = stream('true')

function ofKind(beyond: string): Query<StreamPlace> {
  return new Query(`
    SELECT kind.nth, place.key, place.ref
    FROM unnest(:accounts::text[], :types::text[]) WITH ORDINALITY AS kind(account, type, nth) CROSS JOIN LATERAL (
      SELECT stored_at AS key, ref FROM events
      WHERE coalesce(account, '') = kind.account AND type = kind.type AND ${beyond} LIMIT :most
    ) AS place`)
}

function stream(condition: string): Readonly<Record<Order, Query<StreamPlace>>> {
  const rows = `SELECT 1 AS nth, stored_at AS key, ref FROM events WHERE ${condition}`
  return {
    newest: new Query(
      `${rows} AND (stored_at, ref) < (:key, :ref) AND stored_at >= :bound ORDER BY stored_at DESC, ref DESC LIMIT :most`,
    ),
    oldest: new Query(
      `${rows} AND (stored_at, ref) > (:key, :ref) AND stored_at < :bound ORDER BY stored_at, ref LIMIT :most`,
    ),
  }
}

const BY_REFS = new Query<EventRow>('SELECT * FROM events WHERE ref = ANY(:refs::bigint[])')

/** `LogQueryStore.eventPage`, inside one read transaction; `read` makes an item of each row. */
export async function eventPage<T>(
  source: EventSource,
  query: EventQuery,
  read: (row: EventRow, bodies: Documents) => T,
): Promise<Page<T>> {
  const { tx } = source
  const { cursor, limit } = query
  const span = eventSpan(query, readPlace(cursor, EVENT_LIST))
  const load = async (refs: readonly number[]): Promise<ReadonlyMap<number, T>> => {
    const rows = (await tx.all(BY_REFS, { refs })).filter((row) => isAskedEvent(row, query))
    const bodies = await documentsOfEvents(source, rows)
    return new Map(rows.map((row) => [row.ref, read(row, bodies)]))
  }
  const most = Math.max(MOST_EVENTS_LOOKED_AT, limit)
  return await pageOf(await streamsOf(tx, query, span), { ...span, load, limit, list: EVENT_LIST, most })
}

async function streamsOf(tx: Transaction, query: EventQuery, { bound, order }: EventSpan): Promise<Streams> {
  const { subjectId } = query
  if (subjectId !== undefined) return rows(tx, OF_SUBJECT[order], { subjectId, bound })
  const kinds = isOfKinds(query) ? kindsAsked(await eventKinds(tx), query) : null
  if (kinds === null) return rows(tx, OF_ALL[order], { bound })
  if (kinds.length === 0) return NO_STREAMS
  const accounts = kinds.map(({ account }) => account ?? NO_ACCOUNT)
  return {
    ...rows(tx, OF_KIND[order], { accounts, types: kinds.map(({ type }) => type), bound }),
    amount: kinds.length,
  }
}

function rows(tx: Transaction, query: Query<StreamPlace>, values: BoundValues): Streams {
  return { amount: 1, fetch: async (from: Place, most) => await tx.all(query, { ...values, ...from, most }) }
}

const AFTER = new Query<EventRow>('SELECT * FROM events WHERE ref > :place ORDER BY ref LIMIT :limit')
const LAST = new Query<{ ref: number }>('SELECT ref FROM events ORDER BY ref DESC LIMIT 1')

export async function eventsAfter(source: EventSource, place: number, limit: number): Promise<readonly PlacedEvent[]> {
  const found = await source.tx.all(AFTER, { place, limit })
  const bodies = await documentsOfEvents(source, found)
  return found.map((row) => Object.assign(toKeptEvent(row, bodies), { place: row.ref }))
}

export async function lastPlace(db: Pick<Transaction, 'one'>): Promise<number> {
  return (await db.one(LAST))?.ref ?? 0
}
