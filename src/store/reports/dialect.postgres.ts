import { loadDelivery, loadRows } from '../deliveries/ledger-rows.postgres.ts'
import { endpointNames } from '../endpoints/endpoint-reads.postgres.ts'
import { lowerBoundSince } from '../events/event-totals.postgres.ts'
import type { EventSource } from '../documents/event-documents.postgres.ts'
import { Query } from '../server/query.ts'
import type { Ask, Dialect } from './dialect.ts'
import { answerOf } from './lookup.ts'

export const POSTGRES: Dialect<EventSource> = {
  all,
  only: ({ postgres }) => postgres,
  isOneOf: (column, name, type) => `${column} = ANY(:${name}::${type}[])`,
  by: () => '',
  thenJoin: 'JOIN',
  *deliveries({ tx }, refs) {
    return new Map((yield* answerOf(loadRows(tx, refs))).map((row) => [row.ref, row]))
  },
  delivery: ({ tx }, id) => answerOf(loadDelivery(tx, id)),
  endpointNames: ({ tx }) => answerOf(endpointNames(tx)),
  lowerBoundSince: ({ tx }, at) => answerOf(lowerBoundSince(tx, at)),
}

function all<Row>(sql: string): Ask<EventSource, Row> {
  const query = new Query<Row>(sql)
  return ({ tx }, values) => answerOf(tx.all(query, values))
}
