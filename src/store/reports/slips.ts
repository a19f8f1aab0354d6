import { isOfCarrier } from '../../model/carrier.ts'
import { accountsAsked } from '../../model/scope.ts'
import type { Slip, SlipQuery } from '../ports/record-query-port.ts'
import { dayOf, driftOf } from '../../ledger/dates.ts'
import { accountNames, type Ask, type Dialect, type SlipDay } from './dialect.ts'
import type { Page } from '../../model/page.ts'
import type { Lookup } from './lookup.ts'
import { LAST, pageOf, readPlace } from './ranges.ts'

/** The name of the list in its cursors. */
const SLIP_LIST = 'slips'
/** Rows that one page looks at. */
const MOST_SLIPS_LOOKED_AT = 250
/** The days are merged, not the rows of all of them: of a longer time with many accounts, the newest. */
const MOST_DAYS = 2_000

type SlipRow = Omit<Slip, 'driftMinutes'>

/** Days of each account that are looked at. */
function slipDaysOfEach(accounts: number): number {
  return Math.max(Math.floor(MOST_DAYS / Math.max(accounts, 1)), 1)
}

/** The days of which the page may show a row: all rows but filtered ones, and those of an account's first day that moved before `since`. */
function slipDaysInReach(
  days: readonly SlipDay[],
  { carrier, lane, limit }: SlipQuery,
  accounts: number,
): readonly SlipDay[] {
  const most = carrier === undefined && lane === undefined ? limit + accounts + 1 : MOST_SLIPS_LOOKED_AT + 1
  return days.toSorted((one, other) => other.key - one.key || other.ref - one.ref).slice(0, most)
}

/** The slip that a row is; null where it is not asked for. */
function toSlip(row: SlipRow, query: SlipQuery): Slip | null {
  const { carrier, lane, movedAt } = row
  if (movedAt < query.since || !isOfCarrier(carrier, query.carrier) || (query.lane ?? lane) !== lane) return null
  return { ...row, driftMinutes: driftOf(row) }
}

const LARGEST_FIRST = '(size, ref) < (:key, :ref) ORDER BY size DESC, ref DESC LIMIT'

/** `RecordQueryStore.slips`, inside one read transaction. */
export function slipPages<Source>(dialect: Dialect<Source>): (source: Source, query: SlipQuery) => Lookup<Page<Slip>> {
  const [rows, names] = [slipRows(dialect), accountNames(dialect)]
  // One for each day of an account; those whose largest comes behind all that the page can reach are left out.
  const ofDays = dialect.rangesOf({
    columns: { account: 'text', day: 'bigint' },
    rows: ({ account, day }) => `
      SELECT size AS key, ref FROM slips ${dialect.by('slips_day')}
      WHERE slips.account = ${account} AND slips.day = ${day} AND ${LARGEST_FIRST} CAST(:most AS integer)`,
  })
  return function* (source, query) {
    const from = readPlace(query.cursor, SLIP_LIST) ?? LAST
    const accounts = yield* names(source, accountsAsked(query))
    const most = slipDaysOfEach(accounts.length)
    const found = yield* dialect.slipDays(source, { accounts, since: dayOf(query.since), before: from, most })
    const reached = slipDaysInReach(found, query, accounts.length)
    const each = reached.map(({ account, day }) => () => ({ account, day }))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, Slip>> {
      const slips = (yield* rows(source, { refs })).map(({ ref, ...row }) => [ref, toSlip(row, query)] as const)
      return new Map(slips.flatMap(([ref, slip]) => (slip === null ? [] : [[ref, slip] as const])))
    }
    const limits = { limit: query.limit, list: SLIP_LIST, most: MOST_SLIPS_LOOKED_AT }
    return yield* pageOf(ofDays(source, { from, order: 'newest', each }), { load, ...limits })
  }
}

function slipRows<Source>({
  all,
  isOneOf,
  rowOfKey,
}: Dialect<Source>): Ask<Source, SlipRow & { readonly ref: number }> {
  const key = { account: 'slips.account', resource: `'shipment'`, id: 'slips.shipment' }
  return all(`
    SELECT slips.ref, slips.account, shipment, milestone, slips.first, slips.now, revisions, moved_at AS "movedAt", name, carrier, records.lane
    FROM slips LEFT JOIN ${rowOfKey('records', key)}
    WHERE ${isOneOf('slips.ref', 'refs', 'bigint')}`)
}
