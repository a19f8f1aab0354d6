import { setImmediate as nextTurn } from 'node:timers/promises'
import { detectChange } from '../../detect/detect-change.ts'
import type { DetectInput } from '../../detect/detect-input.ts'
import { lostPart } from '../../detect/lost-part.ts'
import { isFresh } from '../../detect/read-order.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Read, RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { Provenance } from '../../model/provenance.ts'
import { phaseOf } from '../../plan/phase.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { KnownRecord } from '../../store/ports/record-port.ts'
import type { AccountContext } from '../account-context.ts'
import { readOf } from './provenance.ts'
import { recordFacts } from './record-facts.ts'
import { reviseRecords, writeOf, type Revised, type Revision } from './update-record.ts'

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
export interface Observation {
  readonly resource: RecordResource
  readonly exchange: Exchange
  /** By id. */
  readonly readings: ReadonlyMap<string, Reading>
  /** The ETag of the answer, where it is of one record. */
  readonly etag?: string | null
  /** When the last read was sent that would have shown what is new. */
  readonly absentAt: number | null
  readonly provenance: Provenance
  /** What it is compared with, loaded within the commit. */
  readonly load: () => Promise<Standing>
}

/** What is known where an answer arrives. */
export interface Standing {
  readonly known: ReadonlyMap<string, Known>
  readonly absorbed: readonly string[]
  /** How a record that differs is judged; null: it rings nothing any more. */
  readonly circumstances: (
    ids: readonly string[],
  ) => Promise<(id: string, before: RecordState | null) => Pick<DetectInput, 'mode' | 'shipment'> | null>
  /** What is committed beside the records; null: nothing of the answer is committed at all. */
  readonly changes: (sorted: Sorted) => readonly BatchChange[] | null
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
  /** Ids of records that are not believed: beside what is known of them they cannot be understood. None of them is current. */
  readonly rejected: readonly string[]
}

export interface Ingested {
  readonly events: readonly EventDraft[]
  /** How many records have another content hash than known. */
  readonly different: number
  /** What became of these, without those that ring nothing any more. */
  readonly revised: readonly Revised[]
  /** Records that were known before and compared, changed or not. */
  readonly compared: number
  /** Records that are not believed, beside what is known of them. */
  readonly rejected: readonly Rejection[]
}

const NOTHING: Ingested = { events: [], revised: [], compared: 0, different: 0, rejected: [] }

type IngestContext = Pick<AccountContext, 'account' | 'committer' | 'clock' | 'fields'>

/** What becomes of each record of an answer; `rejected` grows as records are judged. */
interface Judge {
  readonly revise: (before: RecordState | null, id: string) => Promise<Revision | null>
  readonly rejected: readonly Rejection[]
}

/** The way of every answer into the store. The answer is compared with what is known, and the difference is one commit. */
export async function ingest(context: IngestContext, answer: Observation): Promise<Ingested> {
  const { account, committer } = context
  const { resource, provenance } = answer
  let rejected: readonly Rejection[] = []
  const ingested = await committer.commit(account.name, async () => {
    const standing = await answer.load()
    const sorted = sort(answer, standing.known)
    const judge = await judgeOf(context, answer, { standing, sorted })
    const revised = await reviseRecords(
      committer.store,
      { account: account.name, resource, ids: sorted.different },
      judge.revise,
    )
    rejected = judge.rejected
    const changes = standing.changes(withoutRejected(sorted, rejected))
    if (changes === null) return null
    await betweenSteps(answer.exchange)
    return {
      records: revised.map(writeOf),
      events: revised.flatMap(({ revision }) => revision.events),
      changes: [...unchanged(answer, sorted), ...changes],
      provenance,
      revised,
      different: sorted.different.length,
      compared: sorted.current.filter((id) => standing.known.has(id)).length,
    }
  })
  return { ...(ingested ?? NOTHING), rejected }
}

function withoutRejected(sorted: Sorted, rejections: readonly Rejection[]): Sorted {
  if (rejections.length === 0) return sorted
  const rejected = rejections.flatMap(({ id }) => id ?? [])
  const isBelieved = (id: string): boolean => !rejected.includes(id)
  return {
    ...sorted,
    current: sorted.current.filter(isBelieved),
    different: sorted.different.filter(isBelieved),
    rejected,
  }
}

function sort({ exchange, readings }: Observation, known: Standing['known']): Sorted {
  const read = readOf(exchange)
  const current: string[] = []
  const same: string[] = []
  const different: string[] = []
  const overtaken: string[] = []
  // Not by pairs, which would be made for each row of a page.
  readings.forEach(({ contentHash }, id) => {
    const before = known.get(id)
    if (!isFresh(read, before?.lastRead)) {
      overtaken.push(id)
      return
    }
    current.push(id)
    const isSame = contentHash !== null && contentHash === before?.contentHash
    ;(isSame ? same : different).push(id)
  })
  return { current, same, different, overtaken, rejected: [] }
}

function unchanged({ etag, exchange, resource }: Observation, { same }: Sorted): readonly BatchChange[] {
  if (same.length === 0) return []
  const tag = etag === undefined ? {} : { etag }
  return [{ kind: 'unchanged', resource, ids: same, read: readOf(exchange), ...tag }]
}

async function judgeOf(
  context: IngestContext,
  { absentAt, etag, exchange, readings, resource }: Observation,
  { standing, sorted }: { readonly standing: Standing; readonly sorted: Sorted },
): Promise<Judge> {
  const read: Read = readOf(exchange)
  const facts = recordFacts(context, resource, standing.absorbed)
  const circumstancesOf = await standing.circumstances(sorted.different)
  const rejected: Rejection[] = []
  const revise: Judge['revise'] = async (before, id) => {
    const circumstances = circumstancesOf(id, before)
    if (circumstances === null) return null
    if (isLarge(exchange)) await nextTurn()
    const { contentHash = null, record: after = null } = readings.get(id) ?? {}
    const reason = lostPart({ ...facts, before, after }, context.fields[resource])
    if (reason !== null) {
      rejected.push({ id, reason })
      return null
    }
    const detected = detectChange({ ...facts, ...circumstances, id, before, after, read, absentAt })
    const phase = resource === 'shipment' && after !== null ? { phase: phaseOf(after) } : {}
    const tag = etag === undefined ? {} : { etag }
    return { ...detected, write: { contentHash: contentHash, ...tag, ...phase } }
  }
  return { revise, rejected }
}
