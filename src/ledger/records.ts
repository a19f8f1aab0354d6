import type { JsonObject } from '../model/json.ts'
import type { Phase, PhaseSpan } from '../model/phase.ts'
import { listingOf, type RecordListing, UNLISTED } from '../model/record-listing.ts'
import { NO_OUTLINE, outlineOf, type RecordOutline } from '../model/record-outline.ts'
import { arrivalOf, type RecordState } from '../model/record-state.ts'
import { isRecordResource, type RecordResource } from '../model/resource.ts'
import { haveSameTerms, searchTermsOf } from '../model/search-terms.ts'

/** What is kept of a record beside its state. A `Document` stands for where one is stored. */
export interface RecordAt<Document> {
  readonly seen: Document | null
  readonly lastEventAt: number
  /** When a read last showed the record changed, or first showed it; null: none did, or that was not remembered. */
  readonly changedAt: number | null
  readonly phase: Phase | null
  readonly phaseUntil: number | null
  readonly outline: RecordOutline
  readonly listing: RecordListing
  /** What the record is found by; null: by what is stored. */
  readonly terms: readonly string[] | null
}

/** A record before a write. */
export interface RecordBefore<Document> extends Omit<RecordAt<Document>, 'listing'> {
  /** An `Ending`, or `UNLISTED`: its outline may lack what is listed since. */
  readonly listing: { readonly ending: number }
}

interface WrittenRecord<Document> {
  readonly state: RecordState
  readonly phase?: PhaseSpan
  readonly seen: Document | null
  /** When the record rang in this batch; undefined: it did not. */
  readonly rangAt: number | undefined
  /** When a read showed the changes that ring in this batch; undefined: none does. */
  readonly shownAt: number | undefined
  /** The content of the document that it was known by before, where that is at hand. */
  readonly before: JsonObject | null
}

/** A record after a write. What it is listed and found by is derived anew only where its content is another. */
export function recordAfter<Document>(
  old: RecordBefore<Document> | null,
  written: WrittenRecord<Document>,
): RecordAt<Document> {
  const { before, phase: span, rangAt, seen, state } = written
  const { id, resource } = state
  const moved = isRecordResource(resource) && (old === null || old.seen !== seen) ? resource : null
  const isFoundAlike =
    moved === null || (before !== null && state.seen !== null && haveSameTerms(moved, before, state.seen))
  return {
    seen,
    lastEventAt: rangAt ?? old?.lastEventAt ?? 0,
    changedAt: changedAtAfter(old, written),
    phase: span?.phase ?? old?.phase ?? null,
    phaseUntil: span === undefined ? (old?.phaseUntil ?? null) : span.until,
    // An order is expected, and a record is gone, without another content.
    listing: listingOf(state),
    outline: outlineAfter(old, { ...written, moved }),
    terms: isFoundAlike ? (old?.terms ?? null) : searchTermsOf(moved, id, state.seen),
  }
}

function outlineAfter(
  old: RecordBefore<unknown> | null,
  { moved, state }: WrittenRecord<unknown> & { readonly moved: RecordResource | null },
): RecordOutline {
  const resource =
    moved ?? (old?.listing.ending === UNLISTED && isRecordResource(state.resource) ? state.resource : null)
  return resource === null ? (old?.outline ?? NO_OUTLINE) : outlineOf(resource, state.seen)
}

/** No event of the calendar, none that is derived and none of an expectation moves it: no read showed these. */
function changedAtAfter(old: RecordBefore<unknown> | null, { shownAt, state }: WrittenRecord<unknown>): number | null {
  if (shownAt !== undefined) return shownAt
  if (state.seen === null) return old?.changedAt ?? null
  if (old === null || old.seen === null) return arrivalOf(state.lastRead)
  return old.changedAt ?? (old.lastEventAt > 0 ? old.lastEventAt : state.firstSeenAt)
}

/** What a record's row holds beside its key, its documents and its memory. */
export function recordColumns(
  { atBaseline, closedAt, firstSeenAt, lastEventId, memory, nextEdgeAt, removedAt, version }: RecordState,
  { changedAt, lastEventAt, listing, outline, phase, phaseUntil }: RecordAt<unknown>,
) {
  const { carrier, dueDay, kind, lane, name, status, totals } = outline
  return {
    version,
    lastEventId,
    lastEventAt,
    changedAt,
    atBaseline: atBaseline ? 1 : 0,
    firstSeenAt,
    closedAt,
    removedAt,
    nextEdgeAt,
    settlesAt: memory.settling?.dueAt ?? null,
    phase,
    phaseUntil,
    name,
    carrier,
    lane,
    status,
    dueDay,
    kind,
    totals,
    ...listing,
  }
}

export type RecordColumns = ReturnType<typeof recordColumns>

/** The terms by which a record is found no more, and those by which it is from now on. */
export function movedTerms(
  before: readonly string[],
  after: readonly string[],
): { readonly gone: readonly string[]; readonly found: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)]
  return { gone: [...old].filter((term) => !now.has(term)), found: [...now].filter((term) => !old.has(term)) }
}

/**
 * How many more rows, or fewer, point at documents, netted over one transaction: a document that passes from a record to the event
 * of its change is not even touched. A row that points twice at one document counts once.
 */
export class DocumentUses<Document> {
  readonly #changes = new Map<Document, number>()

  /** A row points at these from now on. */
  add(one: Document | null, other: Document | null): void {
    this.#point(one, other, 1)
  }

  /** A row points at these no longer. */
  remove(one: Document | null, other: Document | null): void {
    this.#point(one, other, -1)
  }

  of(document: Document): number {
    return this.#changes.get(document) ?? 0
  }

  /** The documents at which more rows point from now on, or fewer. */
  get changed(): readonly (readonly [document: Document, change: number])[] {
    return [...this.#changes].filter(([, change]) => change !== 0)
  }

  #point(one: Document | null, other: Document | null, by: 1 | -1): void {
    if (one !== null) this.#changes.set(one, this.of(one) + by)
    if (other !== null && other !== one) this.#changes.set(other, this.of(other) + by)
  }
}
