import { snapshotState, type SnapshotRefusal, type SnapshotRun } from '../model/snapshot-run.ts'
import type { Subscription } from '../model/subscription.ts'

/** What of the endpoint of a subscription decides on its runs; 1: so it is. */
interface SwitchedEndpoint {
  readonly configured: number
  readonly enabled: number
}

/** Why no run of a subscription can begin; null: one can. undefined: it has no endpoint, or had no run. */
export function snapshotRefusal(
  endpoint: SwitchedEndpoint | undefined,
  last: Pick<SnapshotRun, 'cancelledAt' | 'endedAt'> | undefined,
): SnapshotRefusal | null {
  if (endpoint?.configured !== 1) return 'unknown'
  return last !== undefined && snapshotState(last) === 'under_way' ? 'under way' : null
}

/**
 * Whether nobody is to get what a run sends any more. A subscription that was left out of the configuration gets rows, which are held, until
 * they are discarded.
 */
export function isOrphaned(endpoint: SwitchedEndpoint | undefined): boolean {
  return endpoint === undefined || (endpoint.configured === 0 && endpoint.enabled === 0)
}

/** Which of the subscriptions that are configured begin with a run: those that ask for it, and whose names the store has not had. */
export function startsFull(
  configured: readonly Pick<Subscription, 'name' | 'start'>[],
  isNew: (name: string) => boolean,
): readonly string[] {
  return configured.filter(({ name, start }) => start === 'snapshot' && isNew(name)).map(({ name }) => name)
}
