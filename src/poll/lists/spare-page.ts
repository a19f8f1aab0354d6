import type { Exchange } from '../../model/exchange.ts'
import type { ReadReason } from '../../model/provenance.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { placeAt, rowsUntilPlace } from '../../plan/list-gaps.ts'
import { recognisedAfter } from '../../plan/removal.ts'
import type { Row } from '../../platform/outcome.ts'
import type { KnownRecord } from '../../store/ports/record-port.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import { applyPage, driftOf } from './apply-page.ts'
import { Quarantine } from '../ingest/quarantine.ts'
import type { Ingested } from '../ingest/ingest.ts'
import type { Revised } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import { doubledIds, hashOfMeaning } from './id-collisions.ts'
import { Namesakes } from './namesakes.ts'
import {
  flawsOf,
  leftOutOn,
  MOST_ROWS,
  onlyRecords,
  pageOfRows,
  type Flaws,
  type PageOfRows,
  type PageShown,
} from './page-of-rows.ts'
import type { PageReader } from './page-reader.ts'

export interface SparePageRequest {
  readonly skip: number
  /** When the last complete pass started, which did not show what is new on the page; null: not known. */
  readonly absentAt: number | null
  readonly why: ReadReason
  /** The content hashes that spare pages have replaced since the last pass began. */
  readonly replaced: Replaced
  readonly signal: AbortSignal
}

export interface SparePage {
  /** Why nothing was learnt, for people; null: something may have been. */
  readonly reason: string | null
  /** The exchange; null: the platform was not asked, or gave no answer that could be used. */
  readonly exchange: Exchange | null
  readonly events: number
  /** Records never seen before, or changed. */
  readonly changed: number
}

/** The content hashes of records, by id. */
export type Replaced = Map<string, Set<string>>

/** The part of the rows last met on a page that has to be met again before unknown rows are taken for this account's. */
const RECOGNISED_SHARE = 0.1

/**
 * One page of a list, read between passes or beside one. It may add and change records, and moves their last read. It counts
 * for no pass: not for removals or holds, not for misses, not for the list's end. New records join no page of the store, where
 * they would count as met by a pass. What takes more than a page to judge is left to the next pass: drift, and id collisions.
 */
export async function readSparePage(
  context: ListContext,
  reader: PageReader,
  { absentAt, replaced, signal, skip, why }: SparePageRequest,
): Promise<SparePage> {
  const { account, committer, plan, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const list = await store.listState(account.name, resource)
  if (list.baselinedAt === null) return nothing('the list has no baseline yet')
  const { places } = list.gaps
  if (placeAt(places, skip) !== null) return nothing('its rows cannot be read')
  const before = await store.idsOn(account.name, resource, [skip])
  const take = rowsUntilPlace(places, skip)
  // The page is chosen again where it is worth it. A pass says what is wrong with a page that fails.
  const answer = await reader.read({ skip, take, pass: null, maySkip: true, priority: 'spare', tries: 1, signal })
  if (answer.kind === 'failed') return nothing(answer.reason)
  const { exchange } = answer
  if (answer.kind === 'same') {
    plan.pageSame(resource, { skip, at: exchange.sentAt })
    return { ...nothing(null), exchange }
  }
  if (answer.page.rows.length === 0) return { ...nothing('the page is empty'), exchange }
  if (answer.page.rows.length > MOST_ROWS) return { ...nothing('the page is too large'), exchange }
  const applied = await applyRows(context, answer, { list, before, why, absentAt, replaced })
  if (applied === null) return { ...nothing('its fields have changed'), exchange }
  const { events, revised } = applied
  return { reason: null, exchange, events: events.length, changed: revised.length }
}

/**
 * Rows that were asked for while no pass runs, to see whether their list answers. They teach what a spare page does, and have no place in
 * the list.
 */
export async function applyBeside(
  context: ListContext,
  shown: PageShown,
  { absentAt, replaced }: Pick<SparePageRequest, 'absentAt' | 'replaced'>,
): Promise<void> {
  const { account, committer, plan, watch } = context
  const list = await committer.store.listState(account.name, RECORD_OF[watch])
  if (list.baselinedAt === null) return
  const why = plan.targetReason(watch)
  await applyRows(context, shown, { list, before: [], why, absentAt, replaced, isBeside: true })
}

interface Applying extends Pick<SparePageRequest, 'absentAt' | 'replaced' | 'why'> {
  readonly list: ListState
  /** The ids that were on the page. */
  readonly before: readonly string[]
  /** Whether the rows have no place; left out: they are a page. */
  readonly isBeside?: boolean
}

/** Applies what no pass read; null: fields have drifted, which a pass has to say. */
async function applyRows(
  context: ListContext,
  answer: PageShown,
  { absentAt, before, isBeside = false, list, replaced, why }: Applying,
): Promise<Ingested | null> {
  const { account, committer, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const named = watch === 'invoices' ? await new Namesakes(account.name, store).name(answer) : answer
  const leftOut = leftOutOn(list.gaps, answer, null)
  const read = pageOfRows(withoutDoubled(context, named), { met: new Set(), leftOut })
  const rows = isBeside ? { ...read, place: null, isMeeting: true } : read
  if ((await driftOf(context, list.absorbed, rows)).length > 0) return null
  const own = withoutReturned(withoutCollisions(rows, list), { replaced, before })
  const known = await store.known(account.name, resource, [...own.records.keys()])
  const shown = await trusted(context, { rows: own, before, known })
  const ingested = await applyPage(context, shown, { why, isOfPass: false, list, absentAt })
  const { rejected, revised } = ingested
  noteReplaced(replaced, known, revised)
  const bad = new Set(rejected.map(({ id }) => id))
  const sound = [...shown.records.keys()].filter((id) => !bad.has(id))
  const flawed = flawsOf(resource, shown.records)
  const { exchange, page } = answer
  await noteRejected(context, { page, sound, disbelieved: rejected, exchange, ...flawed })
  return ingested
}

function nothing(reason: string | null): SparePage {
  return { reason, exchange: null, events: 0, changed: 0 }
}

/** Which of several records under one id is followed is for a pass to say. */
function withoutDoubled(context: ListContext, shown: PageShown): PageShown {
  const ids = new Set(doubledIds(shown.page, hashOfMeaning(context)).map(({ id }) => id))
  if (ids.size === 0) return shown
  const rows = shown.page.rows.filter(({ id }) => id === null || !ids.has(id))
  return { ...shown, page: { ...shown.page, rows }, place: { ...shown.place, validator: null } }
}

function withoutCollisions(rows: PageOfRows, { idCollisions }: ListState): PageOfRows {
  const ids = new Set(idCollisions.map(({ id }) => id))
  return onlyRecords(rows, (id) => !ids.has(id))
}

/**
 * The page without what another spare page has replaced already. Two records under one id would otherwise replace each other
 * with every page that is read. Whether a record really changed back is for the next pass to say.
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

function noteReplaced(replaced: Replaced, known: ReadonlyMap<string, KnownRecord>, revised: readonly Revised[]): void {
  for (const { id, revision } of revised) {
    const contentHash = known.get(id)?.contentHash
    if (contentHash == null || revision.events.length === 0) continue
    replaced.set(id, (replaced.get(id) ?? new Set<string>()).add(contentHash))
  }
}

/** Without unknown records, unless enough of what the page held is met again (guarantee D6), or little is known. */
async function trusted(
  { account, committer, watch }: ListContext,
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
  const { records } = await committer.store.listState(account.name, RECORD_OF[watch])
  return recognisedAfter(records) === 0 ? rows : onlyKnown
}

async function noteRejected(
  context: ListContext,
  shown: {
    readonly page: { readonly rows: readonly Row[] }
    readonly sound: readonly string[]
    /** Records of the page that are not believed, beside what is known of them. */
    readonly disbelieved: readonly Rejection[]
    readonly exchange: Exchange
  } & Flaws,
): Promise<void> {
  const rows = shown.page.rows.filter((row) => row.kind === 'rejected')
  const rejected = [...rows, ...shown.disbelieved, ...shown.flaws]
  const quarantine = new Quarantine(context, 'list')
  const provenance = { by: 'page', resource: RECORD_OF[context.watch], exchanges: [shown.exchange] } as const
  await quarantine.note({ sound: shown.sound, rejected, isFlawed: shown.isFlawed, provenance })
  await quarantine.end({ complete: false, provenance })
}
