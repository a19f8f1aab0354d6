import { parseTerms } from './stored-terms.ts'
import type { Phase } from '../../model/phase.ts'
import { NO_OUTLINE, outlineOf, type RecordOutline } from '../../model/record-outline.ts'
import { searchTermsOf } from '../../model/search-terms.ts'
import { isRecordResource, type SubjectResource } from '../../model/resource.ts'
import { recordColumns } from './record-rows.ts'
import type { RecordWrite } from '../ports/commit-port.ts'
import type { Slot } from '../documents/documents.postgres.ts'

/** What a write must know of the row that it changes. */
export interface OldRow extends RecordOutline {
  readonly account: string
  readonly resource: SubjectResource
  readonly id: string
  readonly ref: number
  readonly version: number
  readonly seen_body: number | null
  readonly reported_body: number | null
  readonly last_event_at: number
  readonly phase: Phase | null
  readonly phase_until: number | null
  /** JSON; null: it has none. */
  readonly terms: string | null
}

/** A record as it is known, or as the writes of a batch so far leave it. */
export interface RecordAt {
  readonly version: number
  readonly seen: Slot | null
  readonly reported: Slot | null
  readonly lastEventAt: number
  readonly phase: Phase | null
  readonly phaseUntil: number | null
  readonly outline: RecordOutline
  readonly terms: readonly string[]
}

export function recordAt(old: OldRow, held: (ref: number | null) => Slot | null): RecordAt {
  const { carrier, dueDay, lane, name, status } = old
  return {
    version: old.version,
    seen: held(old.seen_body),
    reported: held(old.reported_body),
    lastEventAt: old.last_event_at,
    phase: old.phase,
    phaseUntil: old.phase_until,
    outline: { carrier, dueDay, lane, name, status },
    terms: parseTerms(old.terms),
  }
}

/** A record after a write. What it is listed and found by is derived anew only where its content is another. */
export function recordAfter(
  old: RecordAt | null,
  { phase: span, state }: RecordWrite,
  written: { readonly seen: Slot | null; readonly reported: Slot | null; readonly rangAt: number | undefined },
): RecordAt {
  const { rangAt, reported, seen } = written
  const { id, resource, version } = state
  const moved = isRecordResource(resource) && (old === null || old.seen !== seen) ? resource : null
  return {
    version,
    seen,
    reported,
    lastEventAt: rangAt ?? old?.lastEventAt ?? 0,
    phase: span?.phase ?? old?.phase ?? null,
    phaseUntil: span === undefined ? (old?.phaseUntil ?? null) : span.until,
    outline: moved === null ? (old?.outline ?? NO_OUTLINE) : outlineOf(moved, state.seen),
    terms: moved === null ? (old?.terms ?? []) : searchTermsOf(moved, id, state.seen),
  }
}

/** After the documents were stored. `ref` null: it has no row yet. */
export function columnsOf(write: RecordWrite, at: RecordAt, { account, ref }: { account: string; ref: number | null }) {
  const { outline, lastEventAt, phase, phaseUntil } = at
  const stored = { seen: at.seen?.ref ?? null, reported: at.reported?.ref ?? null, rangAt: lastEventAt }
  return { account, ref, ...recordColumns(write, stored), phase, phaseUntil, ...outline }
}
