import type { DueRange } from '../../model/due-choice.ts'
import type { Page } from '../../model/page.ts'
import { dayNumber } from '../../model/record-outline.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { comparePlaces, FIRST, LAST, readPlace, type Place } from './place.ts'
import { isAskedRecord } from './record-summary.ts'
import { accountNames } from '../accounts/account-names.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { pageOf, type StreamPlace, type Streams } from './merged-places.postgres.ts'
import { Query } from '../server/query.ts'
import { loadSummaries } from './record-list.postgres.ts'

const LIST = 'due'

const BY_DUE_DATE = new Query<StreamPlace>(`
  SELECT asked.nth, place.key, place.ref
  FROM unnest(:accounts::text[], :keys::bigint[], :refs::bigint[], :ends::bigint[])
    WITH ORDINALITY AS asked(account, from_key, from_ref, last, nth)
  CROSS JOIN LATERAL (
    SELECT due_day AS key, ref FROM records
    WHERE account = asked.account AND due_day IS NOT NULL AND removed_at IS NULL
      AND (due_day, ref) > (asked.from_key, asked.from_ref) AND due_day <= asked.last
    ORDER BY due_day, ref LIMIT :most
  ) AS place`)

type DueQuery = RecordQuery & { readonly due: (account: string) => DueRange }

/** Invoices that have yet to be paid, the one that falls due first at the top, inside the caller's transaction. */
export async function dueRecords(tx: Transaction, query: DueQuery): Promise<Page<RecordSummary>> {
  const { cursor, limit, resource } = query
  if (resource !== 'invoice') return { items: [], next: null }
  const load = async (refs: readonly number[]): Promise<ReadonlyMap<number, RecordSummary>> =>
    new Map([...(await loadSummaries(tx, refs))].filter(([, found]) => isAskedRecord(found, query)))
  const from = readPlace(cursor, LIST) ?? FIRST
  return await pageOf(await streamsOf(tx, query), { from, order: 'oldest', load, limit, list: LIST, most: 2 * limit })
}

async function streamsOf(tx: Transaction, { account, due }: DueQuery): Promise<Streams> {
  const accounts = await accountNames(tx, account)
  const ranges = accounts.map((name) => {
    const { from, to } = due(name)
    const begin = from === null ? FIRST : { key: dayNumber(from), ref: FIRST.ref }
    return { begin, end: to === null ? LAST.key : dayNumber(to) }
  })
  return {
    amount: accounts.length,
    fetch: async (place: Place, most) => {
      const froms = ranges.map(({ begin }) => (comparePlaces(place, begin) < 0 ? begin : place))
      const [keys, refs] = [froms.map(({ key }) => key), froms.map(({ ref }) => ref)]
      return await tx.all(BY_DUE_DATE, { accounts, keys, refs, ends: ranges.map(({ end }) => end), most })
    },
  }
}
