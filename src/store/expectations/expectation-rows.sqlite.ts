import type { KnownRule } from '../../model/expectation.ts'
import type { NotedRecord } from '../../model/note.ts'
import { searchTerm } from '../../model/search-terms.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { ExpectationStore, ExpectedKey, RelatedQuery, RelatedRecord } from '../ports/expectation-port.ts'
import { TABLES } from '../tables/tables.ts'
import {
  CHANGED_AT,
  EXPECTED_COLUMNS,
  expectedPages,
  expectedRow,
  type ExpectationsChange,
  type ExpectedRow,
  MOST_RELATED,
  NAMING_SHIPMENT,
  OF_SHIPMENT,
  pageName,
  pageValues,
  RULE_COLUMNS,
  toExpected,
} from './expectation-rows.ts'

const RULES = new Query<KnownRule>(`SELECT ${RULE_COLUMNS} FROM expectation_rules WHERE account = ? ORDER BY name`)
const EXPECTED = new Query<ExpectedRow>(
  `SELECT ${EXPECTED_COLUMNS} FROM expectations WHERE account = ? AND resource = ? AND id = ?`,
)
// The indexes are named, because SQLite would look through all records for the few that fail.
const TEXTS = expectedPages((index) => `INDEXED BY ${index}`)
const PAGES = {
  all: new Query<ExpectedRow>(TEXTS.all),
  failing: new Query<ExpectedRow>(TEXTS.failing),
  due: new Query<ExpectedRow>(TEXTS.due),
}
const CHANGED = new Query<Omit<RelatedRecord, 'shipment'>>(`
  SELECT resource, id, ${CHANGED_AT} AS changedAt FROM records WHERE account = ? AND resource = ? AND id = ?`)
// The casts keep SQLite from preparing the join anew each time.
const NAMING = new Query<Omit<RelatedRecord, 'shipment'>>(`
  SELECT records.resource, records.id, ${CHANGED_AT} AS changedAt FROM terms CROSS JOIN records ON records.ref = terms.record
  WHERE terms.account = CAST(? AS TEXT) AND terms.resource = CAST(? AS TEXT) AND terms.term = CAST(? AS TEXT)
  ORDER BY terms.record LIMIT ${MOST_RELATED}`)
const SAVE = TABLES.expectations.upsert
const ADD_RULE = TABLES.expectation_rules.insertNamed
const DROP_RULES = 'DELETE FROM expectation_rules WHERE account = ?'
const FORGET = 'DELETE FROM expectations WHERE account = ?'

/** Record by record, because a statement of SQLite is no round trip. */
export function expectationStore(db: Connection): ExpectationStore {
  return {
    expected: (account, records) =>
      db.read(() => ({
        rules: db.all(RULES, account),
        records: records.flatMap((record) => expectedOf(db, account, record)),
      })),
    expectedRecords: (account, query) =>
      db.read(() => db.all(PAGES[pageName(query)], pageValues(account, query)).map(toExpected)),
    related: (account, asked) => db.read(() => related(db, account, asked)),
  }
}

function expectedOf(db: Connection, account: string, { id, resource }: ExpectedKey) {
  const row = db.one(EXPECTED, account, resource, id)
  return row === undefined ? [] : [toExpected(row)]
}

function related(db: Connection, account: string, { records, shipments }: RelatedQuery): readonly RelatedRecord[] {
  const changed = ({ id, resource }: NotedRecord) => db.all(CHANGED, account, resource, id)
  return [
    ...records.flatMap(changed).map((row) => ({ ...row, shipment: null })),
    ...shipments.flatMap((shipment) =>
      [
        ...OF_SHIPMENT.flatMap((resource) => changed({ resource, id: shipment })),
        ...NAMING_SHIPMENT.flatMap((resource) => db.all(NAMING, account, resource, searchTerm(shipment))),
      ].map((row) => ({ ...row, shipment })),
    ),
  ]
}

/** Runs inside the caller's write transaction. */
export function saveExpectations(
  db: Connection,
  account: string,
  { forget = false, records, rules }: ExpectationsChange,
): void {
  if (forget) db.run(FORGET, account)
  if (rules !== undefined) {
    db.run(DROP_RULES, account)
    for (const rule of rules) db.run(ADD_RULE, { account, ...rule })
  }
  for (const record of records) db.run(SAVE, expectedRow(account, record))
}
