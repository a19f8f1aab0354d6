import type { Page } from '../../model/page.ts'
import { dayOf } from '../../ledger/slips.ts'
import {
  MOST_SLIPS_LOOKED_AT,
  SLIP_LIST,
  slipDaysInReach,
  slipDaysOfEach,
  toSlip,
  type SlipDay,
  type SlipRow,
} from './slip-list.ts'
import type { Slip, SlipQuery } from '../ports/record-query-port.ts'
import { accountNames } from '../accounts/account-names.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { comparePlaces, LAST, readPlace, type Place } from './place.ts'
import { mergedPlaces, pageOf, type Stream } from './merged-places.sqlite.ts'
import { Query } from '../file/query.ts'

// The largest of the next older day: one step in the index for each day.
const OLDER_DAY = new Query<Omit<SlipDay, 'account'>>(`
  SELECT day, size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day < CAST(? AS INTEGER) AND day >= CAST(? AS INTEGER)
  ORDER BY day DESC, size DESC, ref DESC LIMIT 1`)
const OF_DAY = new Query<Place>(`
  SELECT size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day = CAST(? AS INTEGER) AND (size, ref) < (?, ?)
  ORDER BY size DESC, ref DESC LIMIT ?`)
const ROW = new Query<SlipRow>(`
  SELECT slips.account, shipment, milestone, first, now, revisions, moved_at AS movedAt, name, carrier, lane
  FROM slips LEFT JOIN records
    ON records.account = slips.account AND records.resource = 'shipment' AND records.id = slips.shipment
  WHERE slips.ref = ?`)

/** `RecordQueryStore.slips`, inside the caller's transaction. */
export function slipPage(db: Connection, query: SlipQuery): Page<Slip> {
  const before = readPlace(query.cursor, SLIP_LIST) ?? LAST
  const places = mergedPlaces(dayStreams(db, query, before), { from: before, order: 'newest' })
  const load = (ref: number): Slip | null => {
    const row = db.one(ROW, ref)
    return row === undefined ? null : toSlip(row, query)
  }
  return pageOf(places, { load, limit: query.limit, list: SLIP_LIST, most: MOST_SLIPS_LOOKED_AT })
}

/** One for each day of an account; those whose largest comes behind all that the page can reach are left out. */
function dayStreams(db: Connection, query: SlipQuery, before: Place): readonly Stream[] {
  const accounts = accountNames(db, query.account)
  const most = slipDaysOfEach(accounts.length)
  const days = accounts.flatMap((account) => daysOf(db, { account, from: dayOf(query.since), before, most }))
  return slipDaysInReach(days, query, accounts.length).map(
    ({ account, day }): Stream =>
      ({ key, ref }, amount) =>
        db.all(OF_DAY, account, day, key, ref, amount),
  )
}

/** The largest of each day that comes behind `before`, the newest day first. */
function daysOf(
  db: Connection,
  {
    account,
    before,
    from,
    most,
  }: { readonly account: string; readonly from: number; readonly before: Place; readonly most: number },
): readonly SlipDay[] {
  const days: SlipDay[] = []
  let day = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < most; looked += 1) {
    const largest = db.one(OLDER_DAY, account, day, from)
    if (largest === undefined) break
    day = largest.day
    const isBehind = comparePlaces(largest, before) < 0
    const head = isBehind ? largest : db.one(OF_DAY, account, day, before.key, before.ref, 1)
    if (head !== undefined) days.push({ ...head, account, day })
  }
  return days
}
