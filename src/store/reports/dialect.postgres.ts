import { droppedTo } from '../upkeep/ledger-end.postgres.ts'
import { loadProvenance } from '../events/event-rows.postgres.ts'
import { loadDates } from '../records/date-rows.postgres.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import { accountNames, sequenceAt } from '../accounts/accounts.postgres.ts'
import { loadRows } from '../deliveries/ledger-rows.postgres.ts'
import { endpointNames, wholeDeferred } from '../endpoints/endpoint-record.postgres.ts'
import { eventHours, eventKinds, lowerBoundSince } from '../events/event-totals.postgres.ts'
import { documentsOfEvents } from '../documents/documents.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { rowOfKey } from '../server/statement-parts.ts'
import { Query } from '../server/query.ts'
import { slipDays } from './slips.postgres.ts'
import { rangesOf } from './ranges.postgres.ts'
import type { Ask, Dialect } from './dialect.ts'
import { answerOf } from './lookup.ts'

/** A read transaction, or for one statement the database itself, whose documents are kept. */
export interface ReportSource {
  readonly db: Database
  readonly tx: Pick<Transaction, 'all' | 'one'>
}

const AHEAD = new Query<{ ahead: number }>('SELECT ahead FROM steady_time')

export const POSTGRES: Dialect<ReportSource> = {
  all,
  only: ({ postgres }) => postgres,
  isOneOf: (column, name, type) => `${column} = ANY(:${name}::${type}[])`,
  by: () => '',
  thenJoin: 'JOIN',
  rowOfKey: (table, key) => `${rowOfKey(table, key)} AS ${table} ON true`,
  rangesOf,
  *aheadMs({ tx }) {
    return (yield* answerOf(tx.one(AHEAD)))?.ahead ?? 0
  },
  accountNames: ({ tx }, only) => answerOf(accountNames(tx, only)),
  wholeDeferred: ({ tx }, now) => answerOf(wholeDeferred(tx, now)),
  records: ({ db, tx }, list, ids) => answerOf(loadRecords(db, list, { ids, tx })),
  dates: ({ tx }, account, shipment) => answerOf(loadDates(tx, account, shipment)),
  documents: (source, rows) => answerOf(documentsOfEvents(source, rows)),
  provenance: ({ tx }, sighting) => answerOf(loadProvenance(tx, sighting)),
  eventKinds: ({ tx }) => answerOf(eventKinds(tx)),
  eventHours: ({ tx }, since) => answerOf(eventHours(tx, since)),
  sequenceAt: ({ tx }, account, ref) => answerOf(sequenceAt(tx, account, ref)),
  slipDays: ({ tx }, asked) => answerOf(slipDays(tx, asked)),
  *deliveries({ tx }, refs) {
    return new Map((yield* answerOf(loadRows(tx, refs))).map((row) => [row.ref, row]))
  },
  droppedTo: ({ tx }) => answerOf(droppedTo(tx)),
  endpointNames: ({ tx }) => answerOf(endpointNames(tx)),
  lowerBoundSince: ({ tx }, at) => answerOf(lowerBoundSince(tx, at)),
}

function all<Row>(sql: string): Ask<ReportSource, Row> {
  const query = new Query<Row>(sql)
  return ({ tx }, values) => answerOf(tx.all(query, values))
}
