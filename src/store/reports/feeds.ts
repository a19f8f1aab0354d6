import { newestPosition, type Numbered } from '../../ledger/positions.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { PlainRowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'
import { toLoggedEvent } from '../events/event-rows.ts'
import type { FeedPart, FeedQuery, FeedStore } from '../ports/feed-port.ts'
import { type Dialect, first } from './dialect.ts'
import type { Lookup, Reader } from './lookup.ts'
import { outermostPosition } from '../deliveries/new-delivery.ts'

type FeedEventRow = PlainRowOf<typeof TABLES.events> & { readonly position: number; readonly delivered: DeliveryState }

interface FeedEnds extends Numbered {
  readonly series: string
  readonly endedTo: number
  readonly first: number | null
}

/** The statements of a dialect, prepared once, for any store of it. */
export function feedQueries<Source>(dialect: Dialect<Source>): (read: Reader<Source>) => Pick<FeedStore, 'feedPart'> {
  const part = feedPart(dialect)
  return (read) => ({ feedPart: (query) => read.whole((source) => part(source, query)) })
}

function feedPart<Source>(dialect: Dialect<Source>): (source: Source, query: FeedQuery) => Lookup<FeedPart | null> {
  const { all, by, thenJoin } = dialect
  const outermost = (order: 'ASC' | 'DESC'): string => outermostPosition(order, by('deliveries_position'))
  const ends = all<FeedEnds>(`
    SELECT series, ended_position AS "endedTo", dropped_position, ${outermost('DESC')} AS kept_position, ${outermost('ASC')} AS first
    FROM endpoints WHERE subscription = :subscription`)
  const rows = all<FeedEventRow>(`
    SELECT events.*, delivery.position, delivery.state AS delivered
    FROM deliveries AS delivery ${by('deliveries_position')} ${thenJoin} events ON events.ref = delivery.event
    WHERE delivery.subscription = :subscription AND delivery.position IS NOT NULL AND delivery.position > :after
    ORDER BY delivery.position LIMIT CAST(:limit AS integer)`)
  return function* (source, { after, limit, subscription }) {
    const known = yield* first(ends(source, { subscription }))
    if (known === undefined) return null
    const found = yield* rows(source, { subscription, after, limit })
    const documents = yield* dialect.documents(source, found)
    return {
      series: known.series,
      endedTo: known.endedTo,
      first: known.first,
      head: newestPosition(known),
      items: found.map((row) => ({
        position: row.position,
        state: row.delivered,
        event: toLoggedEvent(row, documents),
      })),
    }
  }
}
