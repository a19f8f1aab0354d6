import { isAddressed } from '../../model/event.ts'
import type { LoggedRecords, LogPage, LogQuery } from '../ports/log-port.ts'
import type { Dialect } from '../reports/dialect.ts'
import type { Lookup } from '../reports/lookup.ts'
import { type Documents, type EventRow, toLoggedEvent } from './event-rows.ts'

interface LogRow extends EventRow {
  /** Id of the row that the event has of the subscription. */
  readonly delivery: string | null
  readonly state: string | null
}

const NO_DOCUMENTS: Documents = { find: () => null, load: () => null }

function showsRecord({ changes }: EventRow, records: LoggedRecords): boolean {
  return records === 'all' || records === 'shown' || (records === 'whole' && changes === null)
}

/** `LogStore.logPage`, inside one read transaction. */
export function logPages<Source>(dialect: Dialect<Source>): (source: Source, query: LogQuery) => Lookup<LogPage> {
  // PostgreSQL cuts before it joins: the planner would join all that follow.
  const events = dialect.only({
    sqlite: 'events AS event',
    postgres: '(SELECT * FROM events WHERE ref > :after ORDER BY ref LIMIT :limit) AS event',
  })
  const page = dialect.all<LogRow>(`
    SELECT event.*, delivery.id AS delivery, delivery.state
    FROM ${events} LEFT JOIN deliveries AS delivery ON delivery.event = event.ref AND delivery.subscription = :to
    ${dialect.only({ sqlite: 'WHERE event.ref > :after ORDER BY event.ref LIMIT :limit', postgres: 'ORDER BY event.ref' })}`)
  return function* (source, { after, limit, records = 'all', rowsOf, since, undelivered = false }) {
    // The log is in the order of storing, but where the clock was set back: the first of them is found once for all pages.
    const place = after ?? (yield* dialect.firstSince(source, since)) - 1
    const looked = yield* page(source, { after: place, to: rowsOf ?? null, limit })
    const found = looked.filter(
      ({ cause, state, stored_at }) =>
        stored_at >= since &&
        !isAddressed({ cause }) &&
        (rowsOf === undefined || cause !== 'test') &&
        !(undelivered && state === 'delivered'),
    )
    const asked = records === 'shown' ? found.map((row) => ({ ...row, before_body: null })) : found
    const shown = new Set(asked.filter((row) => showsRecord(row, records)))
    const bodies = yield* dialect.documents(source, [...shown])
    const rows = asked.flatMap(({ delivery, id, state }) =>
      delivery === null ? [] : [[id, { id: delivery, delivered: state === 'delivered' }] as const],
    )
    return {
      events: asked.map((row) => ({
        event: toLoggedEvent(row, shown.has(row) ? bodies : NO_DOCUMENTS),
        place: row.ref,
        rangAt: row.stored_at,
      })),
      rows: new Map(rows),
      end: looked.length < limit ? null : (looked.at(-1)?.ref ?? null),
    }
  }
}
