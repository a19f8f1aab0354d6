import type { RecordResource } from './resource.ts'

/** A run that sends a subscription every known record once. A subscription has one that is under way at most. */
export interface SnapshotRun {
  readonly subscription: string
  /** The id of the run, of which those of its events are made. */
  readonly run: string
  /** The resource whose records are sent; null: all that the subscription hears of. */
  readonly only: RecordResource | null
  readonly begunAt: number
  /** When it came to its end; null: it is under way, or was cancelled. */
  readonly endedAt: number | null
  readonly cancelledAt: number | null
}

/** What a run sends: the records of one resource of one account. */
export interface SnapshotPart {
  readonly account: string
  readonly resource: RecordResource
}

/** How far a part of a run is. */
export interface SnapshotProgress extends SnapshotPart {
  /** The last record that was looked at, by id; null: none was. */
  readonly after: string | null
  readonly sent: number
  /** How many records `where` left out. */
  readonly leftOut: number
  /** When its last record was looked at; null: it was not. */
  readonly endedAt: number | null
}

/** A run as it stands. */
export interface SnapshotStanding extends SnapshotRun {
  /** The parts of which a slice was sent, in no order; what `partsOf` names beside them has yet to begin. */
  readonly parts: readonly SnapshotProgress[]
  /** Whether nobody is to get what it sends any more: its subscription ended, or was left out and what it was held was discarded. */
  readonly isOrphaned: boolean
}

/** How far a run is. */
export interface SnapshotSums {
  /** Records that were sent, and that `where` left out. */
  readonly sent: number
  readonly leftOut: number
}

/** `under_way` until all that is known was looked at. */
export type SnapshotState = 'under_way' | 'ended' | 'cancelled'

export function snapshotState({ cancelledAt, endedAt }: Pick<SnapshotRun, 'cancelledAt' | 'endedAt'>): SnapshotState {
  if (cancelledAt !== null) return 'cancelled'
  return endedAt === null ? 'under_way' : 'ended'
}

export function snapshotSums({ parts }: Pick<SnapshotStanding, 'parts'>): SnapshotSums {
  return {
    sent: parts.reduce((sum, part) => sum + part.sent, 0),
    leftOut: parts.reduce((sum, part) => sum + part.leftOut, 0),
  }
}

/** Why a run is not begun. */
export type SnapshotRefusal =
  /** The store knows no such subscription, or it is in no configuration. */
  | 'unknown'
  /** One of the subscription is under way. */
  | 'under way'

/** The run of a subscription that begins at an instant. */
export function newSnapshotRun(subscription: string, at: number, only: RecordResource | null = null): SnapshotRun {
  return { subscription, run: `run_${at.toString(36)}`, only, begunAt: at, endedAt: null, cancelledAt: null }
}

/** A part of which nothing was looked at yet. */
export function newProgress({ account, resource }: SnapshotPart): SnapshotProgress {
  return { account, resource, after: null, sent: 0, leftOut: 0, endedAt: null }
}
