import type { WorkerOverview } from '../report/workers.ts'
import type { WorkerStore } from '../store/ports/worker-port.ts'
import { newestOf } from './newest-worker.ts'

/** The workers that live; none where the store is one that is not shared. */
export async function workerOverviews(
  store: Pick<WorkerStore, 'survey'> | undefined,
): Promise<readonly WorkerOverview[]> {
  if (store === undefined) return []
  const { units, workers } = await store.survey()
  const inForce = newestOf(workers)?.config
  return workers.map(({ config, host, id, pid, since, stalled = null, version }) => ({
    id,
    host,
    pid,
    version,
    since,
    stalled,
    accounts: units.flatMap(({ accounts, worker }) => (worker === id ? accounts : [])).toSorted(),
    configDiffers: inForce !== undefined && config !== inForce,
  }))
}
