import type { LoggedRow, LogPage, LogQuery, LogStore } from '../ports/log-port.ts'
import { type EventRow, toLoggedEvent } from './event-rows.ts'
import { backfill } from './backfill.postgres.ts'
import type { Database } from '../server/database.ts'
import { documentsOfEvents, type EventSource } from '../documents/documents.postgres.ts'
import { firstSince } from './event-totals.postgres.ts'
import { Query } from '../server/query.ts'
import { addSample } from './event-rows.postgres.ts'

const PAGE = new Query<LogRow>(`
  SELECT event.*, delivery.id AS delivery, coalesce(delivery.state = 'delivered', false) AS delivered,
    stored_at >= :since AND (:to::text IS NULL OR cause <> 'test') AS asked
  FROM (SELECT * FROM events WHERE ref > :after ORDER BY ref LIMIT :limit) AS event
    LEFT JOIN deliveries AS delivery ON delivery.event = event.ref AND delivery.subscription = :to
  ORDER BY event.ref`)

interface LogRow extends EventRow {
  /** Id of the row that the event has of the subscription. */
  readonly delivery: string | null
  readonly delivered: boolean
  readonly asked: boolean
}

export function logStore(db: Database): LogStore {
  return {
    log: (query) => db.read(async (tx) => await readPage({ db, tx }, query)),
    backfill: (filling) => db.write(async (tx) => await backfill(tx, filling)),
    addSample: (sample) => db.write(async (tx) => await addSample(db, tx, sample)),
  }
}

async function readPage(source: EventSource, query: LogQuery): Promise<LogPage> {
  const { since, after, rowsOf, undelivered = false, limit } = query
  const { tx } = source
  // The log is in the order of storing, but where the clock was set back: the first of them is found once for all pages.
  const place = after ?? (await firstSince(tx, since)) - 1
  const looked = await tx.all(PAGE, { since, after: place, to: rowsOf ?? null, limit })
  const asked = looked.filter((row) => row.asked && !(undelivered && row.delivered))
  const bodies = await documentsOfEvents(source, asked)
  return {
    events: asked.map((row) => toLoggedEvent(row, bodies)),
    rows: new Map(asked.flatMap((row) => (row.delivery === null ? [] : [[row.id, rowOf(row, row.delivery)]]))),
    end: looked.length < limit ? null : (looked.at(-1)?.ref ?? null),
  }
}

function rowOf({ delivered }: LogRow, id: string): LoggedRow {
  return { id, delivered }
}
