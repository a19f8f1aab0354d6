import type { CalendarSettings } from '../detect/calendar/calendar-settings.ts'
import { detectChange } from '../detect/detect-change.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { isFresh } from '../detect/read-order.ts'
import type { AccountSettings } from '../model/account.ts'
import type { EventDraft } from '../model/event.ts'
import type { Exchange } from '../model/exchange.ts'
import type { JsonObject } from '../model/json.ts'
import type { ReadReason } from '../model/read-reason.ts'
import type { RecordResource } from '../model/resource.ts'
import type { Provenance } from '../model/provenance.ts'
import type { RecordState } from '../model/record-state.ts'
import { shipmentIdOf } from '../model/shipment-id.ts'
import { summariseShipment, type ShipmentSummary } from '../model/shipment.ts'
import { phaseOf } from '../plan/phase.ts'
import type { RecordRow } from '../platform/outcome.ts'
import type { ListState } from '../store/list-state.ts'
import type { PageContents, StoredPage } from '../store/page-port.ts'
import type { ReadBatch, RecordWrite } from '../store/ports.ts'
import type { Committer } from './committer.ts'
import type { PagePlace } from './page-of-rows.ts'
import { knownRows } from './known-rows.ts'
import { betweenSteps } from './large-answer.ts'
import { readOf } from './read-of.ts'
import { provenancePass } from './provenance-pass.ts'
import type { Alternation } from './id-collisions.ts'

export interface PageOfRecords {
  readonly account: AccountSettings
  readonly resource: RecordResource
  /** Records by id, each once. */
  readonly records: ReadonlyMap<string, RecordRow>
  /** Ids that the page showed with a record that cannot be understood: they exist. */
  readonly alsoMet: readonly string[]
  /** Ids that the pass has met before. */
  readonly metBefore: ReadonlySet<string>
  readonly exchange: Exchange
  /** Where the records are from now on; null: on no page. */
  readonly place: PagePlace | null
  /** As it was before, where that is vouched for. */
  readonly before: PageContents | null
  readonly why: ReadReason
  /** Whether a pass read it; otherwise it counts for none: it may add and change records, and proves nothing else. */
  readonly isOfPass: boolean
  /** The state of the list with this page in it. */
  readonly list: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
  /** By what the calendar judges the records. */
  readonly calendar: CalendarSettings
}

export interface EmittedRow {
  readonly before: JsonObject | null
  readonly after: RecordState
  readonly events: readonly EventDraft[]
}

export interface Applied {
  readonly events: readonly EventDraft[]
  readonly changed: number
  /** Those that rang, as they were known (null: they were not) and as they are. */
  readonly emitted: readonly EmittedRow[]
  /** Records that were known before and compared, changed or not. */
  readonly compared: number
  /** Those changed that the pass had met before. */
  readonly alternations: readonly Alternation[]
}

/** Compares one page with what is known and commits the difference. Reads overtaken by a later answer are left out. */
export async function applyRows(committer: Committer, page: PageOfRecords): Promise<Applied> {
  const read = readOf(page.exchange)
  let changed = 0
  let compared = 0
  let alternations: readonly Alternation[] = []
  let emitted: readonly EmittedRow[] = []
  const events = await committer.commit(async () => {
    const nothing = { account: page.account.name, records: [], events: [] }
    const ids = [...page.records.keys()]
    const stored = await storedPage(committer, page)
    const known = await knownRows(committer.store, page, stored)
    const current = ids.filter((id) => isFresh(read, known.get(id)?.lastRead))
    const hashOf = (id: string): string | null => page.records.get(id)?.contentHash ?? null
    const isSame = (id: string): boolean => known.get(id)?.contentHash === hashOf(id)
    const different = current.filter((id) => !isSame(id))
    const list = page.isOfPass ? page.list : await committer.store.listState(page.account.name, page.resource)
    const detected = await detectAll(committer, { ...page, list }, different)
    const overtaken = ids.filter((id) => !isFresh(read, known.get(id)?.lastRead))
    const isWhole = current.length === ids.length && page.alsoMet.length === 0
    const place = placed(page, stored, { ids: current, isWhole })
    if (!page.isOfPass && place.page === undefined) return nothing
    changed = different.length
    alternations = alternationsOf(page, detected)
    emitted = detected
      .filter((each) => each.events.length > 0)
      .map(({ before, events: rung, write }) => ({ before, after: write.state, events: rung }))
    compared = current.filter((id) => known.has(id)).length
    return {
      ...nothing,
      unchanged: { resource: page.resource, ids: current.filter(isSame), read },
      ...place,
      records: detected.map(({ write, id }) => ({ ...write, contentHash: hashOf(id) })),
      events: detected.flatMap((each) => each.events),
      ...(page.isOfPass ? countsFor(page, overtaken) : {}),
      provenance: provenanceOf(page),
    }
  })
  return { events, changed, emitted, compared, alternations }
}

function countsFor(
  { alsoMet, list, resource }: PageOfRecords,
  overtaken: readonly string[],
): Pick<ReadBatch, 'list' | 'met'> {
  return { met: { resource, ids: [...overtaken, ...alsoMet] }, list: { resource, state: list } }
}

async function storedPage(
  { store }: Committer,
  { account, place, resource }: PageOfRecords,
): Promise<StoredPage | null> {
  return place === null ? null : store.page(account.name, resource, place.skip)
}

/** Nothing where a later answer to the same page was applied already. */
function placed(
  { exchange, isOfPass, list, place, resource }: PageOfRecords,
  stored: StoredPage | null,
  shown: { readonly ids: readonly string[]; readonly isWhole: boolean },
): Pick<ReadBatch, 'page'> {
  if (place === null) return {}
  const read = readOf(exchange)
  if (!isFresh(read, stored?.lastRead)) return {}
  const validator = shown.isWhole ? place.validator : null
  const pass = isOfPass ? list.pass : null
  return { page: { ...place, kind: 'shown', resource, read, pass, current: list.pass, validator, ids: shown.ids } }
}

function alternationsOf(
  { metBefore, records }: PageOfRecords,
  detected: readonly DetectedRow[],
): readonly Alternation[] {
  return detected.flatMap(({ id, before }) => {
    const after = records.get(id)?.record
    return metBefore.has(id) && before !== null && after !== undefined ? [{ id, before, after }] : []
  })
}

function provenanceOf({ account, exchange, isOfPass, list, resource, why }: PageOfRecords): Provenance {
  const pass = isOfPass ? { pass: provenancePass(list) } : {}
  return { by: 'page', resource, exchanges: [exchange], why, ...pass, timeZone: account.timeZone }
}

interface DetectedRow {
  readonly id: string
  readonly write: RecordWrite
  /** The record as it was known. */
  readonly before: JsonObject | null
  readonly events: readonly EventDraft[]
}

async function detectAll(
  committer: Committer,
  page: PageOfRecords,
  ids: readonly string[],
): Promise<readonly DetectedRow[]> {
  if (ids.length === 0) return []
  const { account, resource } = page
  const ignore = ignoredPaths(account, resource)
  const states = await committer.store.records(account.name, resource, ids)
  const summaries = await shipmentsOf(committer, page, ids)
  const silent = page.list.baselinedAt === null && account.firstPoll === 'baseline'
  const detected: DetectedRow[] = []
  for (const id of ids) {
    await betweenSteps(page.exchange)
    const before = states.get(id) ?? null
    const after = page.records.get(id)?.record ?? null
    const { state, events } = detectChange({
      account: account.name,
      resource,
      id,
      before,
      after,
      read: readOf(page.exchange),
      mode: silent ? 'silent' : 'ring',
      absentAt: page.absentAt,
      ignore,
      settleMs: account.settleMs,
      absorbed: page.list.absorbed,
      shipment: summaries.get(id) ?? null,
      calendar: page.calendar,
    })
    detected.push({
      id,
      events,
      before: before?.seen ?? null,
      write: {
        state,
        contentHash: null,
        expectedVersion: before?.version ?? null,
        ...(resource === 'shipment' && after !== null ? { phase: phaseOf(after) } : {}),
      },
    })
  }
  await betweenSteps(page.exchange)
  return detected
}

/** The shipment each record belongs to, by the record's id; a shipment's own summary is made where it is detected. */
async function shipmentsOf(
  committer: Committer,
  page: PageOfRecords,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShipmentSummary>> {
  if (page.resource === 'shipment') return new Map()
  const owners = new Map<string, string>()
  for (const id of ids) {
    const owner = shipmentIdOf(page.records.get(id)?.record ?? {}, null)
    if (owner !== null) owners.set(id, owner)
  }
  const shipments = await committer.store.records(page.account.name, 'shipment', [...new Set(owners.values())])
  const summaries = new Map<string, ShipmentSummary>()
  for (const [id, owner] of owners) {
    const seen = shipments.get(owner)?.seen
    if (seen !== null && seen !== undefined) summaries.set(id, summariseShipment(owner, seen))
  }
  return summaries
}
