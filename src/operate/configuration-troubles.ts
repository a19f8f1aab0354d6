import type { ConfigurationMemory } from '../model/configuration-state.ts'
import type { ConfigurationOverview } from '../report/configuration.ts'
import type { Daemon } from '../report/status.ts'
import type { WorkerOverview } from '../report/workers.ts'

interface Living {
  readonly daemon: Daemon | null
  /** The workers that share the store; none where it cannot be shared. */
  readonly workers: readonly WorkerOverview[]
}

/** When the store was begun in the place of one that is gone; null: it was not, as far as is known. */
export function begunAnewAt(known: ConfigurationMemory | null): number | null {
  return known?.begunAnewAt ?? null
}

/** What processes that live have said of their configurations, those that need nobody left out. */
export function configurationTroubles(
  known: ConfigurationMemory | null,
  { daemon, workers }: Living,
): readonly ConfigurationOverview[] {
  return Object.entries(known?.troubles ?? {}).flatMap(([id, trouble]): readonly ConfigurationOverview[] => {
    const worker = workers.find((each) => each.id === id)
    if (worker !== undefined) return [{ ...trouble, worker: id }]
    const isDaemons = workers.length === 0 && daemon?.pid === trouble.pid && daemon.host === trouble.host
    return isDaemons ? [{ ...trouble, worker: null }] : []
  })
}
