import { compareTexts } from './text-order.ts'
import type { RecordResource } from './resource.ts'

/** What lists of records are sorted by. */
export const RECORD_SORTS = ['eta', 'drift', 'name', 'last_event'] as const
export type RecordSort = (typeof RECORD_SORTS)[number]

export interface RecordOrder {
  readonly by: RecordSort
  /** The largest, the latest or the last one first. What has no value comes last all the same. */
  readonly isDescending: boolean
}

/** How lists are sorted where nobody says how. */
export const NEWEST_FIRST: RecordOrder = { by: 'last_event', isDescending: true }

/** `eta`, `-drift`; null for any other text. */
export function readRecordOrder(text: string): RecordOrder | null {
  const isDescending = text.startsWith('-')
  const by = RECORD_SORTS.find((each) => each === (isDescending ? text.slice(1) : text))
  return by === undefined ? null : { by, isDescending }
}

export function orderText({ by, isDescending }: RecordOrder): string {
  return isDescending ? `-${by}` : by
}

/** What narrows some lists of records and says nothing of the others. */
export const RECORD_FILTERS = ['carrier', 'lane', 'mode', 'arrives_after', 'arrives_before', 'open', 'due'] as const
export type RecordFilter = (typeof RECORD_FILTERS)[number]

interface ListRules {
  readonly sorts: readonly RecordSort[]
  readonly filters: readonly RecordFilter[]
}

const NAMED: ListRules = { sorts: ['name', 'last_event'], filters: [] }

/** What each list is sorted and narrowed by: orders arrive when they are expected to be delivered. */
export const LIST_RULES: Readonly<Record<RecordResource, ListRules>> = {
  shipment: {
    sorts: RECORD_SORTS,
    filters: ['carrier', 'lane', 'mode', 'arrives_after', 'arrives_before', 'open'],
  },
  purchase_order: { sorts: RECORD_SORTS, filters: ['arrives_after', 'arrives_before', 'open'] },
  invoice: { sorts: ['name', 'last_event'], filters: ['open', 'due'] },
  tracking: { sorts: ['last_event'], filters: [] },
  document: NAMED,
  location: NAMED,
  order_preparation: NAMED,
}

/** What a record of a list is sorted by. */
interface SortedRecord {
  readonly account: string
  readonly id: string
  readonly name: string | null
  readonly lastEventAt: number | null
  readonly etaAt: number | null
  readonly drift: number | null
}

/** Where a record stands in an order; `value`: null where it has none. */
export interface Placed extends Pick<SortedRecord, 'account' | 'id'> {
  readonly value: string | number | null
}

export function placed(record: SortedRecord, { by }: RecordOrder): Placed {
  const { account, drift, etaAt, id, lastEventAt, name } = record
  // ASCII letters alone, as stores fold texts.
  const folded = name === null ? null : name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return { account, id, value: { eta: etaAt, drift, name: folded, last_event: lastEventAt }[by] }
}

/** Compares places in an order: what has no value comes last, and of equal values that of the first account and id first. */
export function comparePlaced({ isDescending }: RecordOrder): (one: Placed, other: Placed) => number {
  const sign = isDescending ? -1 : 1
  return (one, other) => {
    if (one.value === null || other.value === null) {
      const byValue = Number(one.value === null) - Number(other.value === null)
      return byValue === 0 ? compareNames(one, other) : byValue
    }
    return sign * compareValues(one.value, other.value) || compareNames(one, other)
  }
}

function compareNames(one: Placed, other: Placed): number {
  return compareValues(one.account, other.account) || compareValues(one.id, other.id)
}

/** Numbers by size, texts by their code points. */
function compareValues(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareTexts(String(one), String(other))
}
