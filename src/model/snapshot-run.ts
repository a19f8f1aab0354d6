import type { RecordResource } from './resource.ts'

/** A run that sends a subscription every known record once. A subscription has one that is under way at most. */
export interface SnapshotRun {
  readonly subscription: string
  /** The id of the run, of which those of its events are made. */
  readonly run: string
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
