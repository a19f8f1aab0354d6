import { snapshotRefusal } from '../../ledger/snapshots.ts'
import type { SnapshotRefusal, SnapshotRun, SnapshotStanding } from '../../model/snapshot-run.ts'
import { IS_READY } from '../deliveries/ready-rows.sqlite.ts'
import { isOpenAt } from '../endpoints/endpoint-store.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { SnapshotQuery, SnapshotSlice, SnapshotStore } from '../ports/snapshot-port.ts'
import { endRun, saveRun } from './run-rows.sqlite.ts'
import {
  LAST,
  type MovedPart,
  movedValues,
  movePart,
  PARTS,
  type PartRow,
  refuseMoved,
  STANDINGS,
  type StandingRow,
  SWITCHES,
  toStanding,
} from './snapshot-rows.ts'

const RUNS = new Query<StandingRow>(STANDINGS)
const OF_RUN = new Query<PartRow>(`${PARTS} = :subscription`)
const ENDPOINT = new Query<{ configured: number; enabled: number }>(SWITCHES)
const LAST_RUN = new Query<{ endedAt: number | null; cancelledAt: number | null }>(LAST)
const MOVE = movePart('IS')
// The casts keep SQLite from preparing the statements anew each time.
const NEXT = new Query<{ id: string }>(`
  SELECT id FROM records
  WHERE account = CAST(:account AS TEXT) AND resource = CAST(:resource AS TEXT) AND id > CAST(:after AS TEXT) AND removed_at IS NULL
  ORDER BY id LIMIT CAST(:most AS INTEGER)`)
const COUNT_READY = new Query<{ amount: number }>(`
  SELECT count(*) AS amount FROM (
    SELECT 1 FROM deliveries INDEXED BY deliveries_ready WHERE ${IS_READY} LIMIT CAST(:most AS INTEGER)
  )`)

export function snapshotStore(db: Connection): SnapshotStore {
  return {
    beginSnapshot: (run) => db.write(() => begin(db, run)),
    snapshotRuns: ({ subscription = null, which }) =>
      db.read(() => standings(db, { underWay: which === 'under way' ? 1 : 0, subscription })),
    endSnapshot: (end) => db.write(() => endRun(db, end)),
  }
}

/** Nothing is held, because SQLite has one writer at a time. */
function begin(db: Connection, run: SnapshotRun): SnapshotRefusal | null {
  const { subscription } = run
  const refusal = snapshotRefusal(db.one(ENDPOINT, { subscription }), db.one(LAST_RUN, { subscription }))
  if (refusal === null) saveRun(db, run)
  return refusal
}

function standings(
  db: Connection,
  query: { readonly underWay: number; readonly subscription: string | null },
): readonly SnapshotStanding[] {
  return db.all(RUNS, query).map((row) => toStanding(row, db.all(OF_RUN, { subscription: row.subscription })))
}

/** Runs inside the caller's write transaction. */
export function saveSlice(db: Connection, moved: MovedPart): void {
  refuseMoved(db.run(MOVE, movedValues(moved)), moved)
}

/** `SnapshotSource.snapshotSlice`, inside one read transaction. */
export function nextSlice(db: Connection, { after, most, subscription, ...part }: SnapshotQuery): SnapshotSlice {
  const { account, resource } = part
  return {
    ids: db.all(NEXT, { account, resource, after: after ?? '', most }).map(({ id }) => id),
    isOpen: isOpenAt(db, subscription),
    ready: db.one(COUNT_READY, { subscription, most })?.amount ?? 0,
  }
}
