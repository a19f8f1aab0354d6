import type { Page } from '../../model/page.ts'
import { dayOf } from '../../ledger/dates.ts'
import type { Slip, SlipQuery } from '../ports/record-query-port.ts'
import type { Ask, Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { LAST, readPlace } from './place.ts'
import { pageOf } from './ranges.ts'
import { MOST_SLIPS_LOOKED_AT, SLIP_LIST, slipDaysInReach, slipDaysOfEach, type SlipRow, toSlip } from './slip-list.ts'

const LARGEST_FIRST = '(size, ref) < (:key, :ref) ORDER BY size DESC, ref DESC LIMIT'

/** `RecordQueryStore.slips`, inside one read transaction. */
export function slipPages<Source>(dialect: Dialect<Source>): (source: Source, query: SlipQuery) => Lookup<Page<Slip>> {
  const rows = slipRows(dialect)
  // One for each day of an account; those whose largest comes behind all that the page can reach are left out.
  const ofDays = dialect.rangesOf({
    columns: { account: 'text', day: 'bigint' },
    rows: ({ account, day }) => `
      SELECT size AS key, ref FROM slips ${dialect.by('slips_day')}
      WHERE slips.account = ${account} AND slips.day = ${day} AND ${LARGEST_FIRST} CAST(:most AS integer)`,
  })
  return function* (source, query) {
    const from = readPlace(query.cursor, SLIP_LIST) ?? LAST
    const accounts = yield* dialect.accountNames(source, query.account)
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
