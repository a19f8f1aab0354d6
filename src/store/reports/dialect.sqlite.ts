import { droppedTo } from '../upkeep/ledger-end.sqlite.ts'
import { loadProvenance } from '../events/event-rows.sqlite.ts'
import { loadDates } from '../records/date-rows.sqlite.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { accountNames, sequenceAt } from '../accounts/accounts.sqlite.ts'
import { loadSteady } from '../accounts/wait-rows.sqlite.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import { loadRows } from '../deliveries/ledger-rows.sqlite.ts'
import { endpointNames } from '../endpoints/endpoint-store.sqlite.ts'
import { eventHours, eventKinds, lowerBoundSince } from '../events/event-totals.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { Ask, Dialect } from './dialect.ts'
import { wholeDeferred } from './overviews.sqlite.ts'
import { slipDays } from './slips.sqlite.ts'
import { boundValues, rangesOf } from './ranges.sqlite.ts'
import { atHand } from './lookup.ts'

export const SQLITE: Dialect<Connection> = {
  all,
  only: ({ sqlite }) => sqlite,
  isOneOf: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  by: (index) => `INDEXED BY ${index}`,
  thenJoin: 'CROSS JOIN',
  rowOfKey: (table, { account, id, resource }) =>
    `${table} ON ${table}.account = ${account} AND ${table}.resource = ${resource} AND ${table}.id = ${id}`,
  rangesOf,
  aheadMs: (db) => atHand(loadSteady(db).aheadMs),
  accountNames: (db, only) => atHand(accountNames(db, only)),
  wholeDeferred: (db, now) => atHand(wholeDeferred(db, now)),
  records: (db, list, ids) => atHand(loadRecords(db, list, ids)),
  dates: (db, account, shipment) => atHand(loadDates(db, account, shipment)),
  documents: (db) => atHand(new BodyReader(db)),
  provenance: (db, sighting) => atHand(loadProvenance(db, sighting)),
  eventKinds: (db) => atHand(eventKinds(db)),
  eventHours: (db, since) => atHand(eventHours(db, since)),
  sequenceAt: (db, account, ref) => atHand(sequenceAt(db, account, ref)),
  slipDays: (db, asked) => atHand(slipDays(db, asked)),
  deliveries: (db, refs) => atHand(loadRows(db, refs)),
  droppedTo: (db) => atHand(droppedTo(db)),
  endpointNames: (db) => atHand(endpointNames(db)),
  lowerBoundSince: (db, at) => atHand(lowerBoundSince(db, at)),
}

function all<Row>(sql: string): Ask<Connection, Row> {
  const query = new Query<Row>(sql)
  return (db, values) => atHand(values === undefined ? db.all(query) : db.all(query, boundValues(values)))
}
