import type { Exchange } from '../model/exchange.ts'
import type { ReadReason } from '../model/read-reason.ts'
import { RECORD_OF } from '../model/resource.ts'
import { recognisedAfter } from '../plan/removal.ts'
import type { Row } from '../platform/outcome.ts'
import type { KnownRecord } from '../store/known-record.ts'
import type { ListState } from '../store/list-state.ts'
import { accountCalendar } from './account-calendar.ts'
import { applyRows, type Applied } from './apply-rows.ts'
import { driftOf } from './drift-of.ts'
import type { ListOptions } from './list-options.ts'
import { onlyRecords, pageOfRows, type PageOfRows } from './page-of-rows.ts'
import type { PageReader } from './page-reader.ts'
import { Quarantine } from './quarantine.ts'

export interface ExtraPageOptions extends ListOptions {
  readonly reader: PageReader
}

export interface ExtraPageRequest {
  readonly skip: number
  /** When the last complete pass started, which did not show what is new on the page; null: not known. */
  readonly absentAt: number | null
  readonly why: ReadReason
  /** What pages that were read beside the passes took the place of, since the last pass began. */
  readonly replaced: Replaced
  readonly signal: AbortSignal
}

export interface ExtraPage {
  /** Why nothing was learnt, for people; null: something may have been. */
  readonly reason: string | null
  /** null: the platform was not asked, or gave no answer that could be used. */
  readonly exchange: Exchange | null
  readonly events: number
  /** Records never seen before, or changed. */
  readonly changed: number
}

/** The content hashes of records, by id. */
export type Replaced = Map<string, Set<string>>

/** So much of the rows last met on a page have to be met again before unknown ones are taken for this account's. */
const RECOGNISED_SHARE = 0.1

/**
 * One page of a list, read between passes or beside one: it may add and change records, and moves their last read. It counts
 * for no pass: neither for removals and what is held, nor for misses or the list's end. What takes more than a page to judge
 * is left to the next pass: fields that drift, ids of two records.
 */
export async function readExtraPage(options: ExtraPageOptions, request: ExtraPageRequest): Promise<ExtraPage> {
  const { account, committer, reader, watch } = options
  const { signal, skip } = request
  const { store } = committer
  const list = await store.listState(account.name, RECORD_OF[watch])
  if (list.baselinedAt === null) return nothing('the list has no baseline yet')
  const before = await store.idsOn(account.name, RECORD_OF[watch], [skip])
  const answer = await reader.read({ skip, pass: null, maySkip: true, priority: 'spare', signal })
  if (answer.kind === 'failed') return nothing(answer.reason)
  const { exchange } = answer
  if (answer.kind === 'same') {
    options.plan.pageSame(RECORD_OF[watch], { skip, at: exchange.sentAt })
    return { ...nothing(null), exchange }
  }
  const { page, place } = answer
  if (page.rows.length === 0) return { ...nothing('the page is empty'), exchange }
  const rows = pageOfRows({ page, exchange, place, before: answer.before, met: new Set() })
  if (driftOf(options, list.absorbed, rows).length > 0) return { ...nothing('its fields have changed'), exchange }
  const own = withoutReturned(withoutCollisions(rows, list), { replaced: request.replaced, before })
  const known = await store.known(account.name, RECORD_OF[watch], [...own.records.keys()])
  const shown = await trusted(options, { rows: own, before, known })
  const applied = await applyRows(committer, {
    account,
    resource: RECORD_OF[watch],
    records: shown.records,
    alsoMet: rows.rejectedIds,
    metBefore: new Set(),
    exchange,
    place: shown.place,
    before: shown.before,
    why: request.why,
    isOfPass: false,
    list,
    absentAt: request.absentAt,
    calendar: accountCalendar(account, options.clock.calendarNow(account.name)),
  })
  noteReplaced(request.replaced, { known, emitted: applied.emitted })
  await options.plan.pageShown(RECORD_OF[watch], {
    ...place,
    at: exchange.sentAt,
    emitted: applied.emitted.filter(({ events }) => options.churn.haveNews(events)),
  })
  await noteRejected(options, { page, sound: [...shown.records.keys()], exchange })
  await options.churn.notePage({ round: list.pass, reads: applied.compared, events: applied.events })
  return { reason: null, exchange, events: applied.events.length, changed: applied.changed }
}

function nothing(reason: string | null): ExtraPage {
  return { reason, exchange: null, events: 0, changed: 0 }
}

function withoutCollisions(rows: PageOfRows, { idCollisions }: ListState): PageOfRows {
  const ids = new Set(idCollisions.map(({ id }) => id))
  return onlyRecords(rows, (id) => !ids.has(id))
}

/**
 * Without what another page had taken the place of already: two records that carry one id would take each other's place with
 * every page that is read. Whether a record changed back on its way to another page is for the next pass to say.
 */
function withoutReturned(
  rows: PageOfRows,
  { before, replaced }: { readonly replaced: Replaced; readonly before: readonly string[] },
): PageOfRows {
  if (replaced.size === 0) return rows
  const staying = new Set(before)
  const isReturned = (id: string): boolean =>
    !staying.has(id) && replaced.get(id)?.has(rows.records.get(id)?.contentHash ?? '') === true
  return onlyRecords(rows, (id) => !isReturned(id))
}

function noteReplaced(
  replaced: Replaced,
  { known, emitted }: { readonly known: ReadonlyMap<string, KnownRecord>; readonly emitted: Applied['emitted'] },
): void {
  for (const { after } of emitted) {
    const contentHash = known.get(after.id)?.contentHash
    if (contentHash == null) continue
    replaced.set(after.id, (replaced.get(after.id) ?? new Set<string>()).add(contentHash))
  }
}

/** Without unknown records, unless enough of what the page held is met again (contract section 3.6), or little is known. */
async function trusted(
  { account, committer, watch }: ListOptions,
  {
    before,
    known,
    rows,
  }: {
    readonly rows: PageOfRows
    readonly before: readonly string[]
    readonly known: ReadonlyMap<string, KnownRecord>
  },
): Promise<PageOfRows> {
  const onlyKnown = onlyRecords(rows, (id) => known.get(id)?.removed === false)
  if (onlyKnown.records.size === rows.records.size) return rows
  const again = before.filter((id) => rows.records.has(id) || rows.rejectedIds.includes(id)).length
  if (again >= Math.max(1, before.length * RECOGNISED_SHARE)) return rows
  const all = await committer.store.amountKnown(account.name, RECORD_OF[watch])
  return recognisedAfter(all) === 0 ? rows : onlyKnown
}

async function noteRejected(
  options: ListOptions,
  shown: {
    readonly page: { readonly rows: readonly Row[] }
    readonly sound: readonly string[]
    readonly exchange: Exchange
  },
): Promise<void> {
  const rejected = shown.page.rows.filter((row) => row.kind === 'rejected')
  const quarantine = new Quarantine({ ...options, via: 'list' })
  const provenance = { by: 'page', resource: RECORD_OF[options.watch], exchanges: [shown.exchange] } as const
  await quarantine.note({ sound: shown.sound, rejected, provenance })
  await quarantine.end({ complete: false, provenance })
}
