import type { SnapshotPart, SnapshotRefusal, SnapshotRun, SnapshotStanding } from '../../model/snapshot-run.ts'

/** Runs that send subscriptions every known record. What a slice sends is committed with how far it is (`BatchChange` `snapshot`). */
export interface SnapshotStore {
  /** Begins a run, in place of the last one of the subscription. Resolves to why it is not begun; null: it is. */
  beginSnapshot(run: SnapshotRun): Promise<SnapshotRefusal | null>

  /** The runs that are under way, or the last one of each subscription, by subscription; all of them, or one's. */
  snapshotRuns(query: {
    readonly which: 'under way' | 'last'
    readonly subscription?: string
  }): Promise<readonly SnapshotStanding[]>

  /** Ends a run that is under way: nothing more is sent by it. Resolves to whether it was under way. */
  endSnapshot(end: SnapshotEnd): Promise<boolean>
}

export interface SnapshotEnd {
  readonly subscription: string
  /** The run that is meant; left out: whichever is under way. */
  readonly run?: string
  readonly how: 'ended' | 'cancelled'
  readonly at: number
}

/** What a run looks at next. */
export interface SnapshotSource {
  /** The next records of a part, by id, those that are removed left out, and whether its subscription can take them. Cheap: reads no body. */
  snapshotSlice(query: SnapshotQuery): Promise<SnapshotSlice>
}

export interface SnapshotQuery extends SnapshotPart {
  readonly subscription: string
  /** The last record of the slice before; null: the first slice. */
  readonly after: string | null
  readonly most: number
}

export interface SnapshotSlice {
  readonly ids: readonly string[]
  /** Whether rows of the subscription are pending, and not held. */
  readonly isOpen: boolean
  /** How many rows of the subscription wait to be sent and for nothing else, counted up to `most`. */
  readonly ready: number
}
