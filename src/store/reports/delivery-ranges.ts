import type { Dialect } from './dialect.ts'
import type { Order } from './place.ts'
import type { MergedRanges, RangeColumns, RangesAsked } from './ranges.ts'

/** Rows of deliveries by the places of their events, in both orders. */
export type DeliveryRanges<Source> = Readonly<Record<Order, (source: Source, asked: RangesAsked) => MergedRanges>>

const BEYOND = {
  newest: 'deliveries.event >= :since AND deliveries.event <= :key AND (deliveries.event, ref) < (:key, :ref)',
  oldest: 'deliveries.event >= :since AND (deliveries.event, ref) > (:key, :ref)',
} as const
const DESCENDING = { newest: 'DESC', oldest: 'ASC' } as const
const MOST = 'LIMIT CAST(:most AS integer)'

export function rangesOfAll<Source>(dialect: Dialect<Source>): DeliveryRanges<Source> {
  return ranges(dialect, { columns: {}, condition: () => 'WHERE true' })
}

export function rangesOfEvent<Source>(dialect: Dialect<Source>): DeliveryRanges<Source> {
  return ranges(dialect, { columns: { event: 'bigint' }, condition: (of) => `WHERE deliveries.event = ${of.event}` })
}

export function rangesOfState<Source>(dialect: Dialect<Source>): DeliveryRanges<Source> {
  return ranges(dialect, {
    columns: { subscription: 'text', state: 'text' },
    condition: ({ state, subscription }) => `
      ${dialect.by('deliveries_state')} WHERE deliveries.state = ${state} AND deliveries.subscription = ${subscription}`,
    hasOneOfEvent: true,
  })
}

export function rangesOfFailed<Source>(dialect: Dialect<Source>): DeliveryRanges<Source> {
  return ranges(dialect, {
    columns: { subscription: 'text' },
    condition: ({ subscription }) => `
      ${dialect.by('deliveries_failed')}
      WHERE deliveries.subscription = ${subscription} AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
    hasOneOfEvent: true,
  })
}

interface Range {
  readonly columns: RangeColumns
  readonly condition: (of: Readonly<Record<string, string>>) => string
  /** An event has one row of a subscription: such rows are in order without their `ref`, as PostgreSQL's indexes have them. */
  readonly hasOneOfEvent?: true
}

function ranges<Source>(
  { rangesOf }: Dialect<Source>,
  { columns, condition, hasOneOfEvent }: Range,
): DeliveryRanges<Source> {
  const text = (order: Order) => ({
    columns,
    rows: (of: Readonly<Record<string, string>>) => `
      SELECT deliveries.event AS key, ref FROM deliveries ${condition(of)} AND ${BEYOND[order]}
      ORDER BY deliveries.event ${DESCENDING[order]} ${hasOneOfEvent === true ? '' : `, ref ${DESCENDING[order]}`} ${MOST}`,
  })
  return { newest: rangesOf(text('newest')), oldest: rangesOf(text('oldest')) }
}

/** An event without rows counts as a place, too: it was looked at. */
export function rangesOfAccount<Source>(dialect: Dialect<Source>): DeliveryRanges<Source> {
  const { only, rangesOf } = dialect
  const text = (order: Order) => {
    const direction = DESCENDING[order]
    const beyond = `(event.ref, coalesce(delivery.ref, 0)) ${order === 'newest' ? '<' : '>'} (:key, :ref)`
    // PostgreSQL would join and sort all rows of the span without LATERAL. The first event may have been shown already.
    const rows = only({
      sqlite: `
        events AS event INDEXED BY events_sequence LEFT JOIN deliveries AS delivery ON delivery.event = event.ref
        WHERE ifnull(event.account, '') = :account AND event.sequence > :after AND event.sequence <= :upTo AND ${beyond}`,
      postgres: `
        (
          SELECT ref, sequence FROM events
          WHERE coalesce(account, '') = :account AND sequence > :after AND sequence <= :upTo
          ORDER BY sequence ${direction} LIMIT CAST(:most AS integer) + 1
        ) AS event
          LEFT JOIN LATERAL (SELECT ref FROM deliveries WHERE deliveries.event = event.ref OFFSET 0) AS delivery ON true
        WHERE ${beyond}`,
    })
    return {
      columns: {},
      rows: () => `
        SELECT event.ref AS key, coalesce(delivery.ref, 0) AS ref FROM ${rows}
        ORDER BY event.sequence ${direction}, delivery.ref ${direction} ${MOST}`,
    }
  }
  return { newest: rangesOf(text('newest')), oldest: rangesOf(text('oldest')) }
}
