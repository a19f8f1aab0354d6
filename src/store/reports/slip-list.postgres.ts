import type { Page } from '../../model/page.ts'
import type { Slip, SlipQuery } from '../ports/record-query-port.ts'
import { LAST, readPlace, type Place } from './place.ts'
import {
  MOST_SLIPS_LOOKED_AT,
  SLIP_LIST,
  slipDaysInReach,
  slipDaysOfEach,
  toSlip,
  type SlipDay,
  type SlipRow,
} from './slip-list.ts'
import { dayOf } from '../../ledger/slips.ts'
import { accountNames } from '../accounts/account-names.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { pageOf, type StreamPlace, type Streams } from './merged-places.postgres.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'

// From one day of an account to the next older one: one step in the index for each.
const DAYS = new Query<SlipDay>(`
  WITH RECURSIVE days AS (
    SELECT asked.account, 0 AS looked, ${Number.MAX_SAFE_INTEGER}::bigint AS day FROM unnest(:accounts::text[]) AS asked(account)
    UNION ALL
    SELECT days.account, days.looked + 1, older.day FROM days CROSS JOIN LATERAL (
      SELECT day FROM slips WHERE account = days.account AND day < days.day AND day >= :since
      ORDER BY day DESC LIMIT 1
    ) AS older
    WHERE days.looked < :most
  )
  SELECT days.account, days.day, largest.key, largest.ref FROM days CROSS JOIN LATERAL (
    SELECT size AS key, ref FROM slips
    WHERE account = days.account AND day = days.day AND (size, ref) < (:key, :ref) ORDER BY size DESC, ref DESC LIMIT 1
  ) AS largest
  WHERE days.looked > 0`)
const OF_DAYS = new Query<StreamPlace>(`
  SELECT asked.nth, place.key, place.ref
  FROM unnest(:accounts::text[], :days::bigint[]) WITH ORDINALITY AS asked(account, day, nth) CROSS JOIN LATERAL (
    SELECT size AS key, ref FROM slips
    WHERE account = asked.account AND day = asked.day AND (size, ref) < (:key, :ref)
    ORDER BY size DESC, ref DESC LIMIT :most
  ) AS place`)
const ROWS = new Query<SlipRow & { readonly ref: number }>(`
  SELECT slips.ref, slips.account, shipment, milestone, first, now, revisions, moved_at AS "movedAt", name, carrier, record.lane
  FROM slips LEFT JOIN ${rowOfKey('records', { account: 'slips.account', resource: `'shipment'`, id: 'slips.shipment' })}
    AS record ON true
  WHERE slips.ref = ANY(:refs::bigint[])`)

/** `RecordQueryStore.slips`, inside one read transaction. */
export async function slipPage(tx: Transaction, query: SlipQuery): Promise<Page<Slip>> {
  const from = readPlace(query.cursor, SLIP_LIST) ?? LAST
  const load = async (refs: readonly number[]): Promise<ReadonlyMap<number, Slip>> => {
    const rows = await tx.all(ROWS, { refs })
    return new Map(
      rows.flatMap(({ ref, ...row }) => {
        const slip = toSlip(row, query)
        return slip === null ? [] : [[ref, slip] as const]
      }),
    )
  }
  const limits = { limit: query.limit, list: SLIP_LIST, most: MOST_SLIPS_LOOKED_AT }
  return await pageOf(await dayStreams(tx, query, from), { from, order: 'newest', load, ...limits })
}

/** One for each day of an account; those whose largest comes behind all that the page can reach are left out. */
async function dayStreams(tx: Transaction, query: SlipQuery, before: Place): Promise<Streams> {
  const accounts = await accountNames(tx, query.account)
  const most = slipDaysOfEach(accounts.length)
  const found = await tx.all(DAYS, { accounts, since: dayOf(query.since), most, ...before })
  const reached = slipDaysInReach(found, query, accounts.length)
  const values = { accounts: reached.map(({ account }) => account), days: reached.map(({ day }) => day) }
  return {
    amount: reached.length,
    fetch: async (place, amount) => await tx.all(OF_DAYS, { ...values, ...place, most: amount }),
  }
}
