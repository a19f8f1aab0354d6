import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { comparePlaces, type Place } from './ranges.ts'
import type { Ask, Dialect, SlipDay, SlipDaysAsked } from './dialect.ts'
import { loadDates } from '../records/date-rows.sqlite.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { sequenceAt } from '../accounts/accounts.sqlite.ts'
import { documentsOfEvents } from '../documents/documents.sqlite.ts'
import { firstSince, lowerBoundSince } from '../events/event-totals.sqlite.ts'
import { boundValues, rangesOf } from './ranges.sqlite.ts'
import { atHand } from './lookup.ts'

// The largest of the next older day: one step in the index for each day.
const OLDER_DAY = new Query<Omit<SlipDay, 'account'>>(`
  SELECT day, size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day < CAST(? AS INTEGER) AND day >= CAST(? AS INTEGER)
  ORDER BY day DESC, size DESC, ref DESC LIMIT 1`)
const OF_DAY = new Query<Place>(`
  SELECT size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day = CAST(? AS INTEGER) AND (size, ref) < (?, ?)
  ORDER BY size DESC, ref DESC LIMIT ?`)
/** The largest of each day of each account that comes behind a place. Step by step, as SQLite has no LATERAL. */
function slipDays(db: Connection, { accounts, ...asked }: SlipDaysAsked): readonly SlipDay[] {
  return accounts.flatMap((account) => daysOf(db, account, asked))
}

function daysOf(
  db: Connection,
  account: string,
  { before, most, since }: Omit<SlipDaysAsked, 'accounts'>,
): readonly SlipDay[] {
  const days: SlipDay[] = []
  let day = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < most; looked += 1) {
    const largest = db.one(OLDER_DAY, account, day, since)
    if (largest === undefined) break
    day = largest.day
    const isBehind = comparePlaces(largest, before) < 0
    const head = isBehind ? largest : db.one(OF_DAY, account, day, before.key, before.ref, 1)
    if (head !== undefined) days.push({ ...head, account, day })
  }
  return days
}

export const SQLITE: Dialect<Connection> = {
  all,
  only: ({ sqlite }) => sqlite,
  isOneOf: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  by: (index) => `INDEXED BY ${index}`,
  countedAtOnce: 5_000,
  thenJoin: 'CROSS JOIN',
  rowOfKey: (table, { account, id, resource }) =>
    `${table} ON ${table}.account = ${account} AND ${table}.resource = ${resource} AND ${table}.id = ${id}`,
  rangesOf,
  records: (db, list, ids) => atHand(loadRecords(db, list, ids)),
  dates: (db, account, shipment) => atHand(loadDates(db, account, shipment)),
  documents: (db, events) => atHand(documentsOfEvents(db, events)),
  sequenceAt: (db, account, ref) => atHand(sequenceAt(db, account, ref)),
  slipDays: (db, asked) => atHand(slipDays(db, asked)),
  firstSince: (db, at) => atHand(firstSince(db, at)),
  lowerBoundSince: (db, at) => atHand(lowerBoundSince(db, at)),
}

function all<Row>(sql: string): Ask<Connection, Row> {
  const query = new Query<Row>(sql)
  return (db, values) => atHand(values === undefined ? db.all(query) : db.all(query, boundValues(values)))
}
