import { isOfCarrier } from '../../model/carrier.ts'
import { ENDINGS, listingOf, NO_VALUE, UNLISTED } from '../../model/record-listing.ts'
import { dateOfDay, outlinedText, outlineOf } from '../../model/record-outline.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RecordFilters, RecordSummary } from '../ports/record-query-port.ts'
import type { Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'

interface SummaryRow {
  readonly ref: number
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  readonly name: string | null
  readonly status: string | null
  readonly removed_at: number | null
  readonly version: number
  readonly last_event_at: number
  readonly due_day: number | null
  readonly last_read_at: number
  readonly carrier: string | null
  readonly lane: string | null
  readonly kind: string | null
  readonly totals: string | null
  readonly ending: number
  readonly eta_at: number | null
  readonly drift: number | null
}

/** What a row of an earlier version says only once it is listed. */
type Listed = Pick<RecordSummary, 'drift' | 'etaAt' | 'isOpen' | 'kind' | 'totals'>

function toSummary(row: SummaryRow, listed: Listed): RecordSummary {
  const { account, carrier, id, lane, name, resource, status, version } = row
  const lastEventAt = row.last_event_at === 0 ? null : row.last_event_at
  const times = { removedAt: row.removed_at, lastReadAt: row.last_read_at, lastEventAt }
  const dueOn = row.due_day === null ? null : dateOfDay(row.due_day)
  return { account, resource, id, name, status, version, ...times, dueOn, carrier, lane, ...listed }
}

function listedBy({ drift, ending, eta_at: etaAt, kind, totals }: SummaryRow): Listed {
  return { isOpen: ending === ENDINGS.open, etaAt: valueOf(etaAt), drift: valueOf(drift), kind, totals }
}

function valueOf(stored: number | null): number | null {
  return stored === NO_VALUE ? null : stored
}

/** Whether a record is among those that are asked for; by what it is found is not looked at. */
export function isAskedRecord(record: RecordSummary, query: RecordFilters): boolean {
  const { carrier, etaAt, isOpen, kind, lane, status } = record
  if (query.status !== undefined && status !== outlinedText(query.status)) return false
  if (!isOfCarrier(carrier, query.carrier) || (query.lane ?? lane) !== lane || (query.mode ?? kind) !== kind)
    return false
  if ((query.open ?? isOpen) !== isOpen) return false
  if (query.arrives !== undefined && !isWithin(etaAt, query.arrives)) return false
  return query.due === undefined || isDue(record, query.due(record.account))
}

function isWithin(at: number | null, { before, from }: NonNullable<RecordFilters['arrives']>): boolean {
  return at !== null && (from === null || at >= from) && (before === null || at < before)
}

function isDue(
  { dueOn, removedAt }: RecordSummary,
  { from, to }: ReturnType<NonNullable<RecordFilters['due']>>,
): boolean {
  return dueOn !== null && removedAt === null && (from === null || dueOn >= from) && (to === null || dueOn <= to)
}

/** Records by `ref`; those of which nothing was read are left out. */
export function loadSummaries<Source>(
  dialect: Dialect<Source>,
): (source: Source, refs: readonly number[]) => Lookup<ReadonlyMap<number, RecordSummary>> {
  const { all, isOneOf, rowOfKey } = dialect
  const key = { account: 'records.account', resource: 'records.resource', id: 'records.id' }
  const rows = all<SummaryRow>(`
    SELECT records.ref, records.account, records.resource, records.id, name, status, removed_at, version, last_event_at,
      due_day, coalesce(pages.answered_at, reads.answered_at) AS last_read_at, carrier, lane, kind, totals, ending, eta_at, drift
    FROM records JOIN ${rowOfKey('reads', key)} LEFT JOIN pages ON pages.ref = reads.page
    WHERE ${isOneOf('records.ref', 'refs', 'bigint')}`)
  return function* (source, refs) {
    const found = yield* rows(source, { refs })
    const derived = yield* derivedListings(dialect, source, found)
    return new Map(found.map((row) => [row.ref, toSummary(row, derived.get(row.ref) ?? listedBy(row))]))
  }
}

/** What rows that are not listed yet would be listed by, by `ref`. */
function* derivedListings<Source>(
  dialect: Dialect<Source>,
  source: Source,
  rows: readonly SummaryRow[],
): Lookup<ReadonlyMap<number, Listed>> {
  const derived = new Map<number, Listed>()
  const unlisted = rows.filter(({ ending }) => ending === UNLISTED)
  for (const of of Map.groupBy(unlisted, ({ account, resource }) => JSON.stringify([account, resource])).values()) {
    const [first] = of
    if (first === undefined) continue
    const ids = of.map(({ id }) => id)
    const states = yield* dialect.records(source, first, ids)
    for (const { id, ref, resource } of of) {
      const state = states.get(id)
      if (state === undefined) continue
      const { drift, ending, etaAt } = listingOf(state)
      const { kind, totals } = outlineOf(resource, state.seen)
      derived.set(ref, { isOpen: ending === ENDINGS.open, etaAt: valueOf(etaAt), drift: valueOf(drift), kind, totals })
    }
  }
  return derived
}
