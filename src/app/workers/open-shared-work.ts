import { hostname } from 'node:os'
import type { SharedStore } from '../../store/ports/worker-port.ts'
import { readVersion } from '../../version.ts'
import type { WorkOptions } from '../opened-work.ts'
import type { MembershipOptions } from './membership.ts'
import { Worker } from './worker.ts'

/** What is done once, of all accounts. */
const OF_ALL_ACCOUNTS: ReadonlySet<string> = new Set(['once', 'subscriptions snapshot'])

/** Joins whoever works on a store. What is to be done once takes everything that is configured, or is refused. Throws `store_unusable`, `store_locked`. */
export async function openSharedWork(
  options: WorkOptions & Pick<MembershipOptions, 'timed'>,
  store: SharedStore,
  opening: AsyncDisposableStack,
): Promise<Worker> {
  const { command } = options
  const facts = { host: hostname(), pid: process.pid, command, version: readVersion() }
  const worker = opening.use(await Worker.join({ ...options, store, facts }))
  if (OF_ALL_ACCOUNTS.has(command)) await worker.takeAll()
  return worker
}
