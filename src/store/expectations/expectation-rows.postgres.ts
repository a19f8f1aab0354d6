import type { KnownRule } from '../../model/expectation.ts'
import { searchTerm } from '../../model/search-terms.ts'
import type { ExpectationStore, ExpectedKey, RelatedQuery, RelatedRecord } from '../ports/expectation-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { jsonRows, rowOfKey, WANTED } from '../server/statement-parts.ts'
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

const RULES = new Query<KnownRule>(
  `SELECT ${RULE_COLUMNS} FROM expectation_rules WHERE account = :account ORDER BY name`,
)
const EXPECTED = new Query<ExpectedRow>(`
  SELECT ${EXPECTED_COLUMNS} FROM unnest(:resources::text[], :ids::text[]) WITH ORDINALITY AS wanted (resource, id, place)
    JOIN expectations USING (resource, id)
  WHERE account = :account ORDER BY place`)
// No index is named, because PostgreSQL knows how many fail.
const TEXTS = expectedPages(() => '')
const PAGES = {
  all: new Query<ExpectedRow>(TEXTS.all),
  failing: new Query<ExpectedRow>(TEXTS.failing),
  due: new Query<ExpectedRow>(TEXTS.due),
}
const CHANGED = new Query<RelatedRecord>(`
  SELECT wanted.shipment, wanted.resource, wanted.id, ${CHANGED_AT} AS "changedAt"
  FROM unnest(:accounts::text[], :shipments::text[], :resources::text[], :ids::text[]) WITH ORDINALITY
      AS wanted (account, shipment, resource, id, place)
    JOIN ${rowOfKey('records', WANTED)} AS record ON true
  ORDER BY place`)
const NAMING = new Query<RelatedRecord>(`
  SELECT wanted.shipment, found.resource, found.id, found."changedAt"
  FROM unnest(:shipments::text[], :terms::text[]) WITH ORDINALITY AS wanted (shipment, term, place)
    CROSS JOIN unnest(:resources::text[]) WITH ORDINALITY AS asked (resource, second)
    CROSS JOIN LATERAL (
      SELECT records.ref, records.resource, records.id, ${CHANGED_AT} AS "changedAt"
      FROM terms JOIN records ON records.ref = terms.record
      WHERE terms.account = :account AND terms.resource = asked.resource AND terms.term = wanted.term
      ORDER BY terms.record LIMIT ${MOST_RELATED}
    ) AS found
  ORDER BY place, second, found.ref`)
const SAVE = new Query(`${TABLES.expectations.insertAll()} ${TABLES.expectations.instead()}`)
const ADD_RULES = new Query(TABLES.expectation_rules.insertAll())
const DROP_RULES = new Query('DELETE FROM expectation_rules WHERE account = :account')
const FORGET = new Query('DELETE FROM expectations WHERE account = :account')

/** All records at once, because each statement is a round trip. */
export function expectationStore(db: Database): ExpectationStore {
  return {
    expected: async (account, records) =>
      await db.read(async (tx) => ({
        rules: await tx.all(RULES, { account }),
        records: await expectedOf(tx, account, records),
      })),
    expectedRecords: async (account, query) =>
      (await db.all(PAGES[pageName(query)], pageValues(account, query))).map(toExpected),
    related: async (account, asked) => await db.read(async (tx) => await related(tx, account, asked)),
  }
}

async function expectedOf(tx: Pick<Transaction, 'all'>, account: string, records: readonly ExpectedKey[]) {
  if (records.length === 0) return []
  const [resources, ids] = [records.map(({ resource }) => resource), records.map(({ id }) => id)]
  return (await tx.all(EXPECTED, { account, resources, ids })).map(toExpected)
}

/** The records first, then shipment by shipment, because a file answers so. */
async function related(
  tx: Pick<Transaction, 'all'>,
  account: string,
  { records, shipments }: RelatedQuery,
): Promise<readonly RelatedRecord[]> {
  const wanted = [
    ...records.map(({ id, resource }) => ({ shipment: null, resource, id })),
    ...shipments.flatMap((shipment) => OF_SHIPMENT.map((resource) => ({ shipment, resource, id: shipment }))),
  ]
  if (wanted.length === 0) return []
  const changed = await tx.all(CHANGED, {
    accounts: wanted.map(() => account),
    shipments: wanted.map(({ shipment }) => shipment),
    resources: wanted.map(({ resource }) => resource),
    ids: wanted.map(({ id }) => id),
  })
  const naming = await tx.all(NAMING, {
    account,
    shipments,
    terms: shipments.map(searchTerm),
    resources: NAMING_SHIPMENT,
  })
  return [
    ...ofShipment(changed, null),
    ...shipments.flatMap((each) => [changed, naming].flatMap((rows) => ofShipment(rows, each))),
  ]
}

function ofShipment(rows: readonly RelatedRecord[], asked: string | null): readonly RelatedRecord[] {
  return rows.filter(({ shipment }) => shipment === asked)
}

/** The account is held. */
export async function saveExpectations(
  tx: Transaction,
  account: string,
  { forget = false, records, rules }: ExpectationsChange,
): Promise<void> {
  if (forget) await tx.run(FORGET, { account })
  if (rules !== undefined) {
    await tx.run(DROP_RULES, { account })
    await tx.run(ADD_RULES, { rows: jsonRows(rules.map((rule) => ({ account, ...rule }))) })
  }
  if (records.length > 0) await tx.run(SAVE, { rows: jsonRows(records.map((each) => expectedRow(account, each))) })
}
