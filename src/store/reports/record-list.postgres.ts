import type { Page } from '../../model/page.ts'
import { outlinedText } from '../../model/record-outline.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { LAST, readPlace } from './place.ts'
import { toSummary, type SummaryRow } from './record-summary.ts'
import { accountNames } from '../accounts/account-names.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { pageOf, type StreamPlace } from './merged-places.postgres.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'

const LIST = 'records'

const BY_EVENT = ofAccounts('resource = :resource')
const OF_STATUS = ofAccounts('resource = :resource AND status = :status')

function ofAccounts(condition: string): Query<StreamPlace> {
  return new Query(`
    SELECT asked.nth, place.key, place.ref
    FROM unnest(:accounts::text[]) WITH ORDINALITY AS asked(account, nth) CROSS JOIN LATERAL (
      SELECT last_event_at AS key, ref FROM records
      WHERE account = asked.account AND ${condition} AND (last_event_at, ref) < (:key, :ref)
      ORDER BY last_event_at DESC, ref DESC LIMIT :most
    ) AS place`)
}

const KEY = { account: 'records.account', resource: 'records.resource', id: 'records.id' }
const ROWS = new Query<SummaryRow & { readonly ref: number }>(`
  SELECT records.ref, records.account, records.resource, records.id, name, status, removed_at, version, last_event_at,
    due_day, coalesce(pages.answered_at, reads.answered_at) AS last_read_at
  FROM records JOIN ${rowOfKey('reads', KEY)} AS reads ON true LEFT JOIN pages ON pages.ref = reads.page
  WHERE records.ref = ANY(:refs::bigint[])`)

/** Records by their newest event: `RecordQueryStore.recordPage` without `q` and `due`, inside the caller's transaction. */
export async function newestRecords(
  tx: Transaction,
  query: Omit<RecordQuery, 'q' | 'due'>,
): Promise<Page<RecordSummary>> {
  const { account, cursor, limit, resource, status } = query
  const accounts = await accountNames(tx, account)
  const [found, values] =
    status === undefined
      ? [BY_EVENT, { accounts, resource }]
      : [OF_STATUS, { accounts, resource, status: outlinedText(status) }]
  const streams = {
    amount: accounts.length,
    fetch: async (from: { readonly key: number; readonly ref: number }, most: number) =>
      await tx.all(found, { ...values, ...from, most }),
  }
  const from = readPlace(cursor, LIST) ?? LAST
  const load = async (refs: readonly number[]) => await loadSummaries(tx, refs)
  return await pageOf(streams, { from, order: 'newest', load, limit, list: LIST, most: 2 * limit })
}

/** By `ref`; records of which nothing was read are left out. */
export async function loadSummaries(
  tx: Pick<Transaction, 'all'>,
  refs: readonly number[],
): Promise<ReadonlyMap<number, RecordSummary>> {
  return new Map((await tx.all(ROWS, { refs })).map((row) => [row.ref, toSummary(row)]))
}
