import { dateOfDay, dayNumber, outlinedText } from '../../model/record-outline.ts'
import { accountsAsked } from '../../model/scope.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames, type Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import type { Page } from '../../model/page.ts'
import { comparePlaces, FIRST, LAST, pageOf, type Place, type RangeText, readPlace } from './ranges.ts'
import type { DueRange } from '../../model/due-choice.ts'

interface SummaryRow {
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
}

function toSummary(row: SummaryRow): RecordSummary {
  const { account, id, name, resource, status, version } = row
  const lastEventAt = row.last_event_at === 0 ? null : row.last_event_at
  const times = { removedAt: row.removed_at, lastReadAt: row.last_read_at, lastEventAt }
  const dueOn = row.due_day === null ? null : dateOfDay(row.due_day)
  return { account, resource, id, name, status, version, ...times, dueOn }
}

/** Whether a record has the status and the due date that are asked for. */
export function isAskedRecord({ account, dueOn, removedAt, status }: RecordSummary, query: RecordQuery): boolean {
  if (query.status !== undefined && status !== outlinedText(query.status)) return false
  if (query.due === undefined) return true
  const { from, to } = query.due(account)
  return dueOn !== null && removedAt === null && (from === null || dueOn >= from) && (to === null || dueOn <= to)
}

/** Records by `ref`; those of which nothing was read are left out. */
export function loadSummaries<Source>({
  all,
  isOneOf,
  rowOfKey,
}: Dialect<Source>): (source: Source, refs: readonly number[]) => Lookup<ReadonlyMap<number, RecordSummary>> {
  const key = { account: 'records.account', resource: 'records.resource', id: 'records.id' }
  const rows = all<SummaryRow & { readonly ref: number }>(`
    SELECT records.ref, records.account, records.resource, records.id, name, status, removed_at, version, last_event_at,
      due_day, coalesce(pages.answered_at, reads.answered_at) AS last_read_at
    FROM records JOIN ${rowOfKey('reads', key)} LEFT JOIN pages ON pages.ref = reads.page
    WHERE ${isOneOf('records.ref', 'refs', 'bigint')}`)
  return function* (source, refs) {
    return new Map((yield* rows(source, { refs })).map((row) => [row.ref, toSummary(row)]))
  }
}

const LIST = 'records'

/** Records by their newest event: `RecordQueryStore.recordPage` without `q` and `due`, inside the caller's transaction. */
export function newestRecords<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: Omit<RecordQuery, 'q' | 'due'>) => Lookup<Page<RecordSummary>> {
  const [summaries, names] = [loadSummaries(dialect), accountNames(dialect)]
  const byEvent = dialect.rangesOf(text('account', 'resource'))
  const ofStatus = dialect.rangesOf(text('account', 'resource', 'status'))
  return function* (source, { cursor, limit, resource, status, ...choice }) {
    const accounts = yield* names(source, accountsAsked(choice))
    const condition = { resource, ...(status === undefined ? {} : { status: outlinedText(status) }) }
    const each = accounts.map((name) => () => ({ account: name, ...condition }))
    const from = readPlace(cursor, LIST) ?? LAST
    const ranges = (status === undefined ? byEvent : ofStatus)(source, { from, order: 'newest', each })
    const load = (refs: readonly number[]) => summaries(source, refs)
    return yield* pageOf(ranges, { load, limit, list: LIST, most: 2 * limit })
  }

  function text(...columns: readonly string[]): RangeText {
    const index = columns.includes('status') ? 'records_status' : 'records_rang'
    return {
      columns: Object.fromEntries(columns.map((name) => [name, 'text'])),
      rows: (of) => `
        SELECT last_event_at AS key, ref FROM records ${dialect.by(index)}
        WHERE ${columns.map((name) => `records.${name} = ${of[name]}`).join(' AND ')} AND (last_event_at, ref) < (:key, :ref)
        ORDER BY last_event_at DESC, ref DESC LIMIT CAST(:most AS integer)`,
    }
  }
}

const DUE_LIST = 'due'

type DueQuery = RecordQuery & { readonly due: (account: string) => DueRange }

/** Invoices that have yet to be paid, the one that falls due first at the top, inside the caller's transaction. */
export function dueRecords<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: DueQuery) => Lookup<Page<RecordSummary>> {
  const [summaries, names] = [loadSummaries(dialect), accountNames(dialect)]
  const byDueDate = dialect.rangesOf({
    columns: { account: 'text', from_day: 'bigint', from_ref: 'bigint', last: 'bigint' },
    rows: (of) => `
      SELECT due_day AS key, ref FROM records ${dialect.by('records_due')}
      WHERE records.account = ${of.account} AND due_day IS NOT NULL AND removed_at IS NULL
        AND (due_day, ref) > (${of.from_day}, ${of.from_ref}) AND due_day <= ${of.last}
      ORDER BY due_day, ref LIMIT CAST(:most AS integer)`,
  })
  return function* (source, query) {
    const { cursor, due, limit, resource } = query
    if (resource !== 'invoice') return { items: [], next: null }
    const accounts = yield* names(source, accountsAsked(query))
    const each = accounts.map((name) => dueRange(name, due(name)))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, RecordSummary>> {
      return new Map([...(yield* summaries(source, refs))].filter(([, found]) => isAskedRecord(found, query)))
    }
    const ranges = byDueDate(source, { from: readPlace(cursor, DUE_LIST) ?? FIRST, order: 'oldest', each })
    return yield* pageOf(ranges, { load, limit, list: DUE_LIST, most: 2 * limit })
  }
}

function dueRange(account: string, { from, to }: DueRange) {
  const begin = from === null ? FIRST : { key: dayNumber(from), ref: FIRST.ref }
  const last = to === null ? LAST.key : dayNumber(to)
  return (beyond: Place) => {
    const { key, ref } = comparePlaces(beyond, begin) < 0 ? begin : beyond
    return { account, from_day: key, from_ref: ref, last }
  }
}
