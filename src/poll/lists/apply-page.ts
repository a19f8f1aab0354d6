import { setImmediate as nextTurn } from 'node:timers/promises'
import { driftedPaths } from '../../detect/drift/drifted-paths.ts'
import { ignoredPaths } from '../../model/account.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ReadReason } from '../../model/provenance.ts'
import { isFresh, isSameRead } from '../../model/record-state.ts'
import { RECORD_OF, type RecordResource } from '../../model/resource.ts'
import { isCatchingUp } from '../../plan/list-gaps.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { ListState, StoredPage } from '../../store/ports/list-port.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import {
  betweenSteps,
  judgeAnswer,
  newsOf,
  NOTHING_INGESTED,
  sortAnswer,
  type Answer,
  type Circumstances,
  type Ingested,
  type Judged,
  type Known,
  type Sorted,
} from '../ingest/ingest.ts'
import { ownersOf, provenancePass, readOf, summaryOf } from '../ingest/record-facts.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { PageOfRows } from './page-of-rows.ts'

export interface PageReading {
  readonly why: ReadReason
  /** Whether a pass read the page. A page that counts for no pass may add and change records, and proves nothing else. */
  readonly isOfPass: boolean
  /** The state of the list with this page in it. */
  readonly list: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
}

interface JudgedPage extends FoundPage, Judged {
  readonly isOfPass: boolean
  readonly sorted: Sorted
}

/**
 * Compares a page with what is known and commits the difference: at once, or, of a large page and where many subscriptions hear of it,
 * a few records after the other and the page itself with the last. The plan and the search for churn learn from it.
 */
export async function applyPage(context: ListContext, page: PageOfRows, reading: PageReading): Promise<Ingested> {
  const { churn, plan, watch } = context
  const { exchange, place } = page
  const ahead: Ingested[] = []
  for (const part of await partsAhead(context, page, reading)) {
    ahead.push(await commitRows(context, part, reading))
    await nextTurn()
  }
  const ingested = together(ahead, await commitRows(context, page, reading))
  // Whoever sends them begins first: neither side waits for anything here, so their work would be done in turns.
  if (ingested.events.length > 0) await nextTurn()
  await churn.notePage({ round: reading.list.pass, reads: ingested.compared, events: ingested.events })
  const { revised } = ingested
  const emitted = revised.filter(({ revision }) => churn.haveNews(revision.events))
  if (place !== null) await plan.pageShown(RECORD_OF[watch], { ...place, at: exchange.sentAt, revised, emitted })
  return ingested
}

/** What is compared and committed at once of a page that is larger. */
const PART_BYTES = 128 * 1024
const PART_ROWS = 100
/** Up to here a page is committed at once, whatever it shows; of a larger one as much as changed. */
const SMALL_BYTES = 512 * 1024
const SMALL_ROWS = 300

/**
 * Parts of a page with as many of its changed records as are committed at once, where it has more: together they would hold up everybody
 * else. What is committed ahead of the page is on none until the page itself is committed.
 */
async function partsAhead(
  context: ListContext,
  page: PageOfRows,
  reading: PageReading,
): Promise<readonly PageOfRows[]> {
  const { account, committer } = context
  const ringing = isSilent(context, page, reading.list) ? SMALL_ROWS : committer.recordsAtOnce(account.name)
  const { records, rowBytes } = page
  const isSmall = records.size <= SMALL_ROWS && records.size * rowBytes <= SMALL_BYTES
  if (isSmall && records.size <= ringing) return []
  const { known } = await lookUp(context, page, reading)
  const { different } = sortAnswer(answerOf(context, page, reading), known)
  const within = (bytes: number): number => Math.min(ringing, PART_ROWS, Math.floor(bytes / rowBytes))
  if (different.length <= (isSmall ? ringing : within(SMALL_BYTES))) return []
  const most = isSmall ? ringing : Math.max(1, within(PART_BYTES))
  const parts: PageOfRows[] = []
  for (let from = 0; from + most < different.length; from += most) {
    parts.push(partOf(page, different.slice(from, from + most)))
  }
  return parts
}

/** Not by a look at each row of the page: there may be a part for each of thousands. */
function partOf(page: PageOfRows, ids: readonly string[]): PageOfRows {
  const rows = ids.map((id) => [id, page.records.get(id)] as const)
  const records = new Map(rows.flatMap(([id, row]) => (row === undefined ? [] : [[id, row] as const])))
  return { ...page, records, rejectedIds: [], place: null }
}

/** What came of parts of a page and then of the page itself, which compares once more what the parts have left. */
function together(ahead: readonly Ingested[], page: Ingested): Ingested {
  if (ahead.length === 0) return page
  const revised = ahead.flatMap((part) => part.revised)
  const created = revised.filter(({ before }) => before === null).length
  return {
    events: [...ahead.flatMap(({ events }) => events), ...page.events],
    revised: [...revised, ...page.revised],
    rejected: page.rejected,
    different: revised.length + page.different,
    compared: Math.max(0, page.compared - created),
  }
}

async function commitRows(context: ListContext, page: PageOfRows, reading: PageReading): Promise<Ingested> {
  const { account, committer } = context
  const { exchange } = page
  const answer = answerOf(context, page, reading)
  let rejected: readonly Rejection[] = []
  const committed = await committer.commit(account.name, async () => {
    const found = await lookUp(context, page, reading)
    const sorted = sortAnswer(answer, found.known)
    const judged = await judgeAnswer(context, answer, await circumstancesOf(context, page, { ...found, sorted }))
    rejected = judged.rejected
    const changes = changesOf(page, { ...found, ...judged, sorted, isOfPass: reading.isOfPass })
    if (changes === null) return null
    await betweenSteps(exchange)
    return newsOf(answer, sorted, { ...judged, changes })
  })
  return { ...(committed ?? NOTHING_INGESTED), rejected }
}

function answerOf({ account, watch }: ListContext, page: PageOfRows, reading: PageReading): Answer {
  const { exchange, records: readings } = page
  const { absentAt, isOfPass, list, why } = reading
  const resource = RECORD_OF[watch]
  const pass = isOfPass ? { pass: provenancePass(list) } : {}
  const provenance = { by: 'page', resource, exchanges: [exchange], why, ...pass, timeZone: account.timeZone } as const
  return { resource, exchange, readings, absentAt, provenance }
}

/** What the store knows of a page before it is applied. */
interface FoundPage {
  readonly resource: RecordResource
  readonly list: ListState
  /** The page as the store has it now; null: it was never read, or is no page of its own. */
  readonly stored: StoredPage | null
  readonly known: ReadonlyMap<string, Known>
}

async function lookUp(context: ListContext, page: PageOfRows, reading: PageReading): Promise<FoundPage> {
  const { account, committer, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const list = reading.isOfPass ? reading.list : await store.listState(account.name, resource)
  const stored = page.place === null ? null : await store.page(account.name, resource, page.place.skip)
  return { resource, list, stored, known: await knownRows(store, page, { account: account.name, resource, stored }) }
}

/** What is known of the records of a page. Those that were on it need no look-up while the page is the same as before. */
async function knownRows(
  store: RecordStore,
  { before, records }: Pick<PageOfRows, 'before' | 'records'>,
  { account, resource, stored }: { account: string; resource: RecordResource; stored: StoredPage | null },
): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>()
  if (stored !== null && before !== null && isSamePage(stored, before)) {
    const { ids, lastRead } = before
    // Not by pairs, which would be made for each row.
    ids.forEach((id, contentHash) => {
      if (records.has(id)) known.set(id, { contentHash, lastRead })
    })
  }
  const others: string[] = []
  for (const id of records.keys()) if (!known.has(id)) others.push(id)
  if (others.length === 0) return known
  for (const [id, record] of await store.known(account, resource, others)) known.set(id, record)
  return known
}

/** The validator would be gone if anything else had shown a record of the page. */
function isSamePage({ lastRead, validator }: StoredPage, other: StoredPage): boolean {
  const isSame = validator !== null && validator.contentHash === other.validator?.contentHash
  return isSame && isSameRead(lastRead, other.lastRead)
}

/** What is loaded of the records that differ, and which of them are learnt in silence. */
async function circumstancesOf(
  { account, clock, committer }: ListContext,
  page: PageOfRows,
  { list, resource, sorted }: FoundPage & { readonly sorted: Sorted },
): Promise<Circumstances> {
  const { store } = committer
  const { absorbed } = list
  const { different } = sorted
  if (different.length === 0) return { sorted, absorbed, states: new Map(), silent: new Set(), shipments: new Map() }
  const states = await store.records(account.name, resource, different)
  const records = different.map((id) => [id, page.records.get(id)?.record ?? {}] as const)
  const owners = resource === 'shipment' ? new Map() : await ownersOf(store, account.name, records)
  const isBaselining = account.firstPoll === 'baseline'
  const isSilentPage = isSilent({ account }, page, list)
  const catchesUp = isCatchingUp(list, clock.now())
  const isLearnt = (id: string): boolean =>
    isBaselining && !states.has(id) && (catchesUp || page.leftOut.has(idAtPlatform(resource, id)))
  const silent = new Set(isSilentPage ? different : different.filter(isLearnt))
  const shipments = new Map([...owners].map(([id, owner]) => [id, summaryOf(owner)] as const))
  return { sorted, absorbed, states, silent, shipments }
}

/** Whether all that is new on a page is learnt in silence: it is of the baseline, or was hidden by the rules it was judged by before. */
function isSilent(
  { account }: Pick<ListContext, 'account'>,
  { wasJudged }: PageOfRows,
  { baselinedAt }: ListState,
): boolean {
  return wasJudged || (account.firstPoll === 'baseline' && baselinedAt === null)
}

/** What a page changes of its list; null: it counts for no pass, and a later answer to the same page was applied already. */
function changesOf(
  { exchange, isMeeting, place, rejectedIds }: PageOfRows,
  { isOfPass, list, rejected, resource, sorted, stored }: JudgedPage,
): readonly BatchChange[] | null {
  const read = readOf(exchange)
  const disbelieved = rejected.flatMap(({ id }) => id ?? [])
  const unseen = [...sorted.overtaken, ...disbelieved, ...rejectedIds]
  const shown: BatchChange[] = []
  if (place !== null && isFresh(read, stored?.lastRead)) {
    const pass = isOfPass ? list.pass : null
    const current = disbelieved.length === 0 ? sorted.current : sorted.current.filter((id) => !disbelieved.includes(id))
    const validator = unseen.length === 0 ? place.validator : null
    const by = { resource, read, pass, current: list.pass, validator, ids: current }
    shown.push({ kind: 'page', page: { ...place, kind: 'shown', ...by } })
  }
  if (isMeeting === true) shown.push({ kind: 'unchanged', resource, ids: sorted.same, read })
  if (isOfPass) return [...shown, { kind: 'met', resource, ids: unseen }, { kind: 'list', resource, state: list }]
  if (place === null && isMeeting !== true) return [{ kind: 'ahead', current: list.pass }]
  return shown.length === 0 ? null : shown
}

/** The fields that a page shows to be new to the platform's interface. */
export async function driftOf(
  context: ListContext,
  absorbed: readonly string[],
  page: PageOfRows,
): Promise<readonly string[]> {
  const { account, fields, watch } = context
  const resource = RECORD_OF[watch]
  const records = (areKnown: boolean): readonly JsonObject[] => {
    const found: JsonObject[] = []
    for (const row of page.records.values()) if (row.isKnown === areKnown) found.push(row.record)
    return found
  }
  const steps = driftedPaths({
    resource,
    news: records(false),
    known: () => records(true),
    rows: page.records.size + page.rejectedIds.length,
    rowsBefore: page.before?.ids.size ?? null,
    fields: fields[resource],
    ignore: ignoredPaths(account, resource),
    absorbed,
  })
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await betweenSteps(page.exchange)
  }
}

/**
 * Absorbs the fields that a page shows to be new to the platform's interface and reports each once, before the page itself
 * is compared: the page that shows a drift is silent about it already. Returns the state of the list with them in it.
 */
export async function absorbDrift(context: ListContext, list: ListState, page: PageOfRows): Promise<ListState> {
  const { account, clock, committer, watch } = context
  const resource = RECORD_OF[watch]
  await betweenSteps(page.exchange)
  const paths = await driftOf(context, list.absorbed, page)
  let state = list
  for (const path of paths) {
    state = { ...state, absorbed: [...state.absorbed, path] }
    const drift = { type: 'account.schema_drift', at: clock.now(), extras: { resource: watch, path } } as const
    const provenance = { by: 'page', resource, exchanges: [page.exchange], pass: provenancePass(state) } as const
    const changes = [{ kind: 'list', resource, state }] as const
    await ringAccount(committer, { account: account.name, changes, provenance }, () => drift)
  }
  return state
}
