import { carrierKey } from '../../model/carrier.ts'
import { endingsOf, NO_VALUE, UNLISTED } from '../../model/record-listing.ts'
import type { RecordOrder, RecordSort } from '../../model/record-order.ts'
import { outlinedText } from '../../model/record-outline.ts'
import type { RecordQuery } from '../ports/record-query-port.ts'
import type { Dialect } from './dialect.ts'
import type { Values } from './lookup.ts'
import { FIRST, type Key, LAST, type Order, type Place, type RangeColumns, type RangeText } from './ranges.ts'

/**
 * How rows of a sorted list are come by. `walked`: in the order of an index, of which each way to end is a range of its own, so that
 * lists of what is open pass nothing that is over. `ofStatus`: likewise, in an index that has the status. The others are where few rows
 * are looked at whatever the order: those of a lane, of a carrier, or that arrive within some days are sorted as they are read.
 */
export type Access = 'walked' | 'ofStatus' | 'ofLane' | 'ofCarrier' | 'arriving'

/** Stands in place of a name that a record has not: behind all that there are, of which each begins with a space in the index. */
const NO_NAME = '!'

/** What statements of a dialect are written with. */
type Words = Pick<Dialect<unknown>, 'by' | 'isOneOf' | 'only'>

interface SortedBy {
  readonly key: string
  readonly index: string
  /** The place between rows that have a value and those that have none. */
  readonly gap: Place<Key>
  readonly first: Place<Key>
  readonly condition: string
}

const DATED = { gap: { key: NO_VALUE, ref: FIRST.ref }, first: FIRST }

const SORTED_BY: Readonly<Record<RecordSort, SortedBy>> = {
  eta: {
    ...DATED,
    key: 'eta_at',
    index: 'records_eta',
    condition: 'eta_at IS NOT NULL AND eta_at >= :eta_from AND eta_at <= :eta_last',
  },
  drift: { ...DATED, key: 'drift', index: 'records_drift', condition: 'drift IS NOT NULL' },
  name: {
    // Texts fold as both stores fold them by themselves: ASCII letters alone.
    key: `coalesce(' ' || lower(name), '${NO_NAME}')`,
    index: 'records_name',
    gap: { key: NO_NAME, ref: FIRST.ref },
    first: { key: '', ref: FIRST.ref },
    condition: '1 = 1',
  },
  last_event: {
    key: 'last_event_at',
    index: 'records_rang',
    gap: { key: 1, ref: FIRST.ref },
    first: { key: 0, ref: LAST.ref },
    condition: '1 = 1',
  },
}

/** The rows of one range, in one order. */
export function rowsText(
  dialect: Words,
  access: Access,
  { by, order }: { readonly by: RecordSort; readonly order: Order },
): RangeText {
  const { condition, index, key } = SORTED_BY[by]
  const ofAccess = ACCESSES[access]
  const matches = matching(dialect)
  // What is sorted is sorted without what does not match.
  const isSorted = access !== 'walked' && access !== 'ofStatus'
  return {
    columns: { account: 'text', due_from: 'bigint', due_last: 'bigint', ...ofAccess.columns },
    rows: (of) => {
      const asked = `records.account = ${of['account']} AND ${ofAccess.condition(of)} AND ${condition}`
      if (!isSorted)
        return `
          SELECT ${key} AS key, ref, CASE WHEN ${matches(of)} THEN 1 ELSE 0 END AS fits
          FROM records ${dialect.by(access === 'walked' ? index : ofAccess.index)}
          WHERE ${asked} AND ${beyondPlace(key, order)}`
      return `
        SELECT key, ref, 1 AS fits FROM (
          SELECT ${key} AS key, ref FROM records ${dialect.by(ofAccess.index)}
          WHERE ${asked} AND ${matches(of)} ${dialect.only(NOT_IN_ORDER)}
        ) AS few WHERE ${beyondPlace('key', order)}`
    },
  }
}

function beyondPlace(key: string, order: Order): string {
  const [beyond, direction] = order === 'oldest' ? ['>', ''] : ['<', ' DESC']
  return `(${key}, ref) ${beyond} (:key, :ref) ORDER BY ${key}${direction}, ref${direction} LIMIT CAST(:most AS integer)`
}

/** Keeps PostgreSQL's planner from walking the index of the order, in which it expects to find a few rows soon. */
const NOT_IN_ORDER = { sqlite: '', postgres: 'OFFSET 0' }

type Of = Readonly<Record<string, string>>

interface AccessText {
  readonly index: string
  readonly columns: RangeColumns
  readonly condition: (of: Of) => string
}

const OF_RESOURCE = { resource: 'text' } as const
const ENDING = { resource: 'text', ending: 'bigint' } as const
const ofResource = (of: Of): string => `records.resource = ${of['resource']}`
const ofEnding = (of: Of): string => `${ofResource(of)} AND records.ending = ${of['ending']}`
const ARRIVES = 'eta_at IS NOT NULL AND eta_at >= :eta_from AND eta_at <= :eta_last'
const OF_LANE = 'records.lane = CAST(:lane AS text)'
/** A function has no affinity in SQLite: with a mere CAST its index would be walked in place of sought in. */
const OF_CARRIER = "records.carrier IS NOT NULL AND lower(records.carrier) = coalesce(CAST(:carrier AS text), '')"

const ACCESSES: Readonly<Record<Access, AccessText>> = {
  walked: { index: '', columns: ENDING, condition: ofEnding },
  ofStatus: {
    index: 'records_status',
    columns: { resource: 'text', status: 'text' },
    condition: (of) => `${ofResource(of)} AND records.status = ${of['status']}`,
  },
  ofLane: { index: 'records_lane', columns: OF_RESOURCE, condition: (of) => `${ofResource(of)} AND ${OF_LANE}` },
  ofCarrier: {
    index: 'records_carrier',
    columns: OF_RESOURCE,
    condition: (of) => `${ofResource(of)} AND ${OF_CARRIER}`,
  },
  arriving: { index: 'records_eta', columns: ENDING, condition: (of) => `${ofEnding(of)} AND ${ARRIVES}` },
}

/** The condition that a row is asked for; of one that is not listed yet, its content says so. */
function matching({ isOneOf }: Words): (of: Of) => string {
  return ({ due_from: from = '', due_last: last = '' }) => `
    ${given('records.status', 'status')} AND ${given('lower(records.carrier)', 'carrier')} AND ${given('records.lane', 'lane')} AND (
      ending = ${UNLISTED} OR ${given('records.kind', 'mode')} AND ${isOneOf('ending', 'endings', 'bigint')}
      AND (CAST(:arrives AS integer) = 0 OR eta_at >= :eta_from AND eta_at <= :eta_last)
    ) AND (${from} IS NULL OR due_day >= ${from} AND due_day <= ${last} AND removed_at IS NULL)`
}

/** The condition that an expression has the value that is given, or that none is. */
function given(expression: string, name: string): string {
  return `(CAST(:${name} AS text) IS NULL OR ${expression} = CAST(:${name} AS text))`
}

/** The values that all ranges have in common. */
export function commonValues(query: RecordQuery): Values {
  const { arrives, carrier, lane = null, mode = null, status } = query
  return {
    carrier: carrier === undefined ? null : carrierKey(carrier),
    lane,
    mode,
    status: status === undefined ? null : outlinedText(status),
    endings: endingsOf(query.resource, query),
    arrives: arrives === undefined ? 0 : 1,
    eta_from: arrives?.from ?? FIRST.key,
    eta_last: lastArrival(query),
  }
}

function lastArrival({ arrives }: RecordQuery): number {
  if (arrives === undefined) return NO_VALUE
  // Where there is no bound, what has no date arrives never.
  return (arrives.before ?? NO_VALUE) - 1
}

/** Rows one after the other in one direction. */
export interface Section {
  readonly order: Order
  readonly from: Place<Key>
}

/** A list in an order: what has no value stands behind all others, whatever the direction. */
export function sectionsOf({ by, isDescending }: RecordOrder, query: RecordQuery): readonly Section[] {
  const { first, gap } = SORTED_BY[by]
  // What never rang has the smallest number, and what has no other value the largest.
  if (by === 'last_event' && isDescending) return [{ order: 'newest', from: LAST }]
  if (by === 'last_event') return [onward(first), { order: 'newest', from: gap }]
  if (by === 'eta' && query.arrives !== undefined) return [arriving(isDescending, query)]
  return isDescending ? [{ order: 'newest', from: gap }, onward(gap)] : [onward(first)]
}

function onward(from: Place<Key>): Section {
  return { order: 'oldest', from }
}

function arriving(isDescending: boolean, query: RecordQuery): Section {
  const first = query.arrives?.from ?? FIRST.key
  return isDescending
    ? { order: 'newest', from: { key: lastArrival(query), ref: LAST.ref } }
    : { order: 'oldest', from: { key: first, ref: FIRST.ref } }
}

/** How many rows an access looks at is counted by this, where that may be few. */
export function amountText(dialect: Words, access: 'ofLane' | 'ofCarrier' | 'arriving'): string {
  const { isOneOf } = dialect
  const { index } = ACCESSES[access]
  const condition = {
    ofLane: OF_LANE,
    ofCarrier: OF_CARRIER,
    arriving: `records.resource = :resource AND ${isOneOf('ending', 'endings', 'bigint')} AND ${ARRIVES}`,
  }
  return `
    SELECT count(*) AS amount FROM (
      SELECT 1 AS one FROM records ${dialect.by(index)}
      WHERE ${isOneOf('records.account', 'accounts', 'text')} AND ${condition[access]} LIMIT CAST(:most AS integer)
    ) AS few`
}
