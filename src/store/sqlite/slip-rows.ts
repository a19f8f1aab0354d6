import type { Page } from '../../model/page.ts'
import type { Milestone } from '../../model/shipment.ts'
import type { DateText, ToldDate } from '../../model/told-dates.ts'
import { dayOf, driftOf, slipAfter } from '../common/slip-row.ts'
import type { Slip, SlipQuery } from '../record-query-port.ts'
import { accountNames } from './account-names.ts'
import type { Connection } from './connection.ts'
import { LAST, mergedPlaces, pageOf, readPlace, type Place, type Stream } from './merged-places.ts'
import { Query } from './query.ts'

const FIND = new Query<{ ref: number; movedAt: number; first: number; revisions: number }>(
  'SELECT ref, moved_at AS movedAt, first, revisions FROM slips WHERE account = ? AND shipment = ? AND milestone = ?',
)
const ADD = `
  INSERT INTO slips (account, shipment, milestone, first, now, revisions, moved_at, day, size)
  VALUES (:account, :shipment, :milestone, :first, :now, :revisions, :movedAt, :day, :size)`
const MOVE = `
  UPDATE slips SET first = :first, now = :now, revisions = :revisions, moved_at = :movedAt, day = :day, size = :size
  WHERE ref = :ref`
const DROP = 'DELETE FROM slips WHERE ref = ?'

interface SlipKey {
  readonly account: string
  readonly shipment: string
  readonly milestone: Milestone
}

/** Keeps how far a date is from its first value, inside the caller's write transaction. */
export function moveSlip(
  db: Connection,
  { movedAt, ...key }: SlipKey & { readonly movedAt: number },
  told: ToldDate & { readonly from: DateText },
): void {
  const old = db.one(FIND, key.account, key.shipment, key.milestone)
  const row = slipAfter(old, told, movedAt)
  if (row === 'as it was') return
  if (row !== null) db.run(old === undefined ? ADD : MOVE, { ...key, ref: old?.ref ?? null, ...row })
  else if (old !== undefined) db.run(DROP, old.ref)
}

/** The days are merged, not the rows of all of them: of a longer time with many accounts, the newest. */
const MOST_DAYS = 2_000
/** Rows that one page looks at. */
const MOST_LOOKED_AT = 250

const LIST = 'slips'

// The largest of the next older day: one step in the index for each day.
const OLDER_DAY = new Query<DayHead>(`
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

type SlipRow = Omit<Slip, 'driftMinutes'>

/** `RecordQueryStore.slips`, inside the caller's transaction. */
export function slipPage(db: Connection, query: SlipQuery): Page<Slip> {
  const before = readPlace(query.cursor, LIST) ?? LAST
  const places = mergedPlaces(dayStreams(db, query, before), { from: before, order: 'newest' })
  const load = (ref: number): Slip | null => {
    const row = db.one(ROW, ref)
    return row !== undefined && matches(row, query) ? toSlip(row) : null
  }
  return pageOf(places, { load, limit: query.limit, list: LIST, most: MOST_LOOKED_AT })
}

/** One for each day of an account; those whose largest comes behind all that the page can reach are left out. */
function dayStreams(db: Connection, query: SlipQuery, before: Place): readonly Stream[] {
  const accounts = accountNames(db, query.account)
  const most = Math.max(Math.floor(MOST_DAYS / Math.max(accounts.length, 1)), 1)
  const days = accounts.flatMap((account) =>
    headsOf(db, { account, from: dayOf(query.since), before, most }).map((head) => ({ ...head, account })),
  )
  return days
    .sort((one, other) => other.key - one.key || other.ref - one.ref)
    .slice(0, daysInReach(query, accounts.length))
    .map(
      ({ account, day }): Stream =>
        ({ key, ref }, most) =>
          db.all(OF_DAY, account, day, key, ref, most),
    )
}

interface DayHead extends Place {
  readonly day: number
}

/** The largest of each day that comes behind `before`, the newest day first. */
function headsOf(
  db: Connection,
  {
    account,
    before,
    from,
    most,
  }: { readonly account: string; readonly from: number; readonly before: Place; readonly most: number },
): readonly DayHead[] {
  const heads: DayHead[] = []
  let day = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < most; looked += 1) {
    const largest = db.one(OLDER_DAY, account, day, from)
    if (largest === undefined) break
    day = largest.day
    const head = isBehind(largest, before) ? largest : db.one(OF_DAY, account, day, before.key, before.ref, 1)
    if (head !== undefined) heads.push({ ...head, day })
  }
  return heads
}

function isBehind({ key, ref }: Place, before: Place): boolean {
  return key < before.key || (key === before.key && ref < before.ref)
}

/** Every row is shown, but for those of each account's first day that moved before `since`, and those that are filtered out. */
function daysInReach({ carrier, lane, limit }: SlipQuery, accounts: number): number {
  return carrier === undefined && lane === undefined ? limit + accounts + 1 : MOST_LOOKED_AT + 1
}

function matches({ carrier, lane, movedAt }: SlipRow, query: SlipQuery): boolean {
  if (movedAt < query.since) return false
  return (query.carrier ?? carrier) === carrier && (query.lane ?? lane) === lane
}

function toSlip(row: SlipRow): Slip {
  return { ...row, driftMinutes: driftOf(row) }
}
