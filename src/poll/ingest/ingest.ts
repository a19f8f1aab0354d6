import { setImmediate as nextTurn } from 'node:timers/promises'
import { detectChange } from '../../detect/detect-change.ts'
import { lostPart } from '../../detect/drift/drifted-paths.ts'
import { isFresh, isSameRead, type RecordState } from '../../model/record-state.ts'
import type { EventDraft } from '../../model/event.ts'
import type { ExceptionNews } from '../../model/exception.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import { phaseOf } from '../../plan/phase.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { KnownRecord } from '../../store/ports/record-port.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { readOf, recordFacts } from './record-facts.ts'
import { writeOf, type Revised } from './update-record.ts'

/*
 * The way of every answer into the store, within one commit: what is known of its records is looked up, `sortAnswer` says which
 * of them differ, these are loaded, `judgeAnswer` says what becomes of them, and `newsOf` what is committed. The looks are those
 * of who read the answer: `applyPage` for a page, `ItemReader` for an item. Nothing here asks the store.
 */

/** To parse, judge, compare or store this much takes some 50 ms. */
const LARGE_BYTES = 500_000

/** Lets everybody else go on before the next step with a large answer. What is small is done at once. */
export async function betweenSteps(answer: Pick<Exchange, 'bytes'>): Promise<void> {
  if (isLarge(answer)) await nextTurn()
}

function isLarge({ bytes }: Pick<Exchange, 'bytes'>): boolean {
  return bytes > LARGE_BYTES
}

/** What an answer shows of a record. */
interface Reading {
  /** The content hash of its text; null where it shows nothing. */
  readonly contentHash: string | null
  /** The record; null: it is not there (404). */
  readonly record: JsonObject | null
}

/** What an answer of the platform shows: a page of a list, or an item. */
export interface Answer {
  readonly resource: RecordResource
  readonly exchange: Exchange
  /** By id. */
  readonly readings: ReadonlyMap<string, Reading>
  /** The ETag of the answer, where it is of one record. */
  readonly etag?: string | null
  /** When the last read was sent that would have shown what is new. */
  readonly absentAt: number | null
  readonly provenance: Provenance
}

export type Known = Pick<KnownRecord, 'contentHash' | 'lastRead'>

/** The ids of an answer. */
export interface Sorted {
  /** The records of which nothing younger is known. */
  readonly current: readonly string[]
  /** The current records with the content hash that is known … */
  readonly same: readonly string[]
  /** … and the others. */
  readonly different: readonly string[]
  /** The records that a later answer has shown already. */
  readonly overtaken: readonly string[]
  /** How many of the current records were known before. */
  readonly compared: number
}

/** What the records of an answer are judged by that differ from what is known of them. */
export interface Circumstances {
  readonly sorted: Sorted
  /** Fields that are new to the interface of the list, and were reported. */
  readonly absorbed: readonly string[]
  /** The records as they are known, by id. */
  readonly states: ReadonlyMap<string, RecordState>
  /** Ids of the records that are learnt in silence. */
  readonly silent: ReadonlySet<string>
  /** The shipments that the records belong to, by the records' ids, as far as they are known. */
  readonly shipments: ReadonlyMap<string, ShipmentSummary | null>
}

/** What becomes of the records of an answer that differ. */
export interface Judged {
  readonly revised: readonly Revised[]
  /** Records that are not believed: beside what is known of them they cannot be understood. */
  readonly rejected: readonly Rejection[]
}

export interface Ingested extends Judged {
  readonly events: readonly EventDraft[]
  /** How many records have another content hash than known. */
  readonly different: number
  /** Records that were known before and compared, changed or not. */
  readonly compared: number
}

export const NOTHING_INGESTED: Ingested = { events: [], revised: [], compared: 0, different: 0, rejected: [] }

/** Which records of an answer are the known ones, which differ, and which a later answer has shown already. */
export function sortAnswer({ exchange, readings }: Answer, known: ReadonlyMap<string, Known>): Sorted {
  const read = readOf(exchange)
  const current: string[] = []
  const same: string[] = []
  const different: string[] = []
  const overtaken: string[] = []
  let compared = 0
  // Not by pairs, which would be made for each row of a page.
  readings.forEach(({ contentHash }, id) => {
    const before = known.get(id)
    // What was committed of this very answer ahead of the rest is of it all the same.
    const isOwn = before !== undefined && before.contentHash === contentHash && isSameRead(read, before.lastRead)
    if (!isOwn && !isFresh(read, before?.lastRead)) {
      overtaken.push(id)
      return
    }
    current.push(id)
    if (before !== undefined) compared += 1
    const isSame = contentHash !== null && contentHash === before?.contentHash
    ;(isSame ? same : different).push(id)
  })
  return { current, same, different, overtaken, compared }
}

/** Derives what becomes of each record that differs. Others have their turn between the records of a large answer. */
export async function judgeAnswer(
  context: Pick<AccountContext, 'account' | 'clock' | 'fields' | 'publicUrl'>,
  { absentAt, etag, exchange, readings, resource }: Answer,
  { absorbed, shipments, silent, sorted, states }: Circumstances,
): Promise<Judged> {
  const read = readOf(exchange)
  const facts = recordFacts(context, resource, absorbed)
  const tag = etag === undefined ? {} : { etag }
  const revised: Revised[] = []
  const rejected: Rejection[] = []
  for (const id of sorted.different) {
    if (isLarge(exchange)) await nextTurn()
    const before = states.get(id) ?? null
    const { contentHash = null, record: after = null } = readings.get(id) ?? {}
    const reason = lostPart({ ...facts, before, after }, context.fields[resource])
    if (reason !== null) {
      rejected.push({ id, reason })
      continue
    }
    const judged = { mode: silent.has(id) ? 'silent' : 'ring', shipment: shipments.get(id) ?? null } as const
    const detected = detectChange({ ...facts, ...judged, id, before, after, read, absentAt })
    const phase = resource === 'shipment' && after !== null ? { phase: phaseOf(after) } : {}
    revised.push({ id, before, revision: { ...detected, write: { contentHash, ...tag, ...phase } } })
  }
  return { revised, rejected }
}

/** What is committed of an answer, with the changes that go with its records, and what is said of it. */
export function newsOf(
  { etag, exchange, provenance, resource }: Answer,
  { different, same, compared }: Sorted,
  { changes, rejected, revised }: Judged & { readonly changes: readonly BatchChange[] },
): News & Ingested {
  const tag = etag === undefined ? {} : { etag }
  const exceptions = exceptionsOf(revised)
  const unchanged: readonly BatchChange[] =
    same.length === 0 ? [] : [{ kind: 'unchanged', resource, ids: same, read: readOf(exchange), ...tag }]
  return {
    records: revised.map(writeOf),
    events: revised.flatMap(({ revision }) => revision.events),
    changes: [...unchanged, ...changes],
    ...(exceptions && { exceptions }),
    provenance,
    revised,
    rejected,
    different: different.length,
    compared,
  }
}

/** What opens or closes in silence of all records of an answer; undefined: nothing. */
function exceptionsOf(revised: readonly Revised[]): ExceptionNews | undefined {
  const all = revised.flatMap(({ revision: { exceptions } }) => exceptions ?? [])
  if (all.length === 0) return undefined
  return { opens: all.flatMap(({ opens = [] }) => opens), closes: all.flatMap(({ closes = [] }) => closes) }
}
