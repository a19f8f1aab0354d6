import { type EndpointSwitches, isOpen } from '../../ledger/endpoint-state.ts'
import { snapshotRefusal } from '../../ledger/snapshots.ts'
import type { SnapshotRefusal, SnapshotRun, SnapshotStanding } from '../../model/snapshot-run.ts'
import type { SnapshotQuery, SnapshotSlice, SnapshotStore } from '../ports/snapshot-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { endRun, saveRun } from './run-rows.postgres.ts'
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

// Asked every second by every process.
const RUNS = Query.frequent<StandingRow>(STANDINGS)
const OF_RUNS = new Query<PartRow>(`${PARTS} = ANY(:subscriptions::text[])`)
const HOLD_ENDPOINT = new Query<{ configured: number; enabled: number }>(`${SWITCHES} FOR NO KEY UPDATE`)
const LAST_RUN = new Query<{ endedAt: number | null; cancelledAt: number | null }>(LAST)
const MOVE = new Query(movePart('IS NOT DISTINCT FROM'))
const NEXT = Query.frequent<{ id: string }>(`
  SELECT id FROM records WHERE account = :account AND resource = :resource AND id > :after AND removed_at IS NULL
  ORDER BY id LIMIT :most`)
// By the index of ready rows, as claims look for them.
const ENDPOINT = Query.frequent<EndpointSwitches & { ready: number }>(`
  SELECT configured, enabled, disabled_at, (
    SELECT count(*) FROM (
      SELECT event FROM deliveries
      WHERE deliveries.subscription = endpoints.subscription AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      ORDER BY event LIMIT :most
    ) AS ready) AS ready
  FROM endpoints WHERE subscription = :subscription`)

export function snapshotStore(db: Database): SnapshotStore {
  return {
    beginSnapshot: async (run) => await db.write(async (tx) => await begin(tx, run)),
    snapshotRuns: async ({ subscription = null, which }) =>
      await standings(db, { underWay: which === 'under way' ? 1 : 0, subscription }),
    endSnapshot: async (end) => await db.write(async (tx) => await endRun(tx, end)),
  }
}

/** The endpoint is held, because others may begin one at the same time. */
async function begin(tx: Transaction, run: SnapshotRun): Promise<SnapshotRefusal | null> {
  const { subscription } = run
  const endpoint = await tx.one(HOLD_ENDPOINT, { subscription })
  const refusal = snapshotRefusal(endpoint, await tx.one(LAST_RUN, { subscription }))
  if (refusal === null) await saveRun(tx, run)
  return refusal
}

/** The parts need not be of the instant of their run: a slice asks for both again. */
async function standings(
  db: Database,
  query: { readonly underWay: number; readonly subscription: string | null },
): Promise<readonly SnapshotStanding[]> {
  const rows = await db.all(RUNS, query)
  const parts = rows.length === 0 ? [] : await db.all(OF_RUNS, { subscriptions: rows.map((row) => row.subscription) })
  const bySubscription = Map.groupBy(parts, ({ subscription }) => subscription)
  return rows.map((row) => toStanding(row, bySubscription.get(row.subscription) ?? []))
}

/** The account is held. A run that is cancelled at the same time may send this slice yet: nobody waits for whoever cancels. */
export async function saveSlice(tx: Transaction, moved: MovedPart): Promise<void> {
  refuseMoved(await tx.run(MOVE, movedValues(moved)), moved)
}

/** `SnapshotSource.snapshotSlice`: what is looked at need not be of one instant, because the commit asks again. */
export async function nextSlice(
  db: Database,
  { after, most, subscription, ...part }: SnapshotQuery,
): Promise<SnapshotSlice> {
  const { account, resource } = part
  const [ids, endpoint] = await Promise.all([
    db.all(NEXT, { account, resource, after: after ?? '', most }),
    db.one(ENDPOINT, { subscription, most }),
  ])
  return {
    ids: ids.map(({ id }) => id),
    isOpen: endpoint !== undefined && isOpen(endpoint),
    ready: endpoint?.ready ?? 0,
  }
}
