import { hostname } from 'node:os'
import type { SharedStore } from '../../store/worker-port.ts'
import { readVersion } from '../../version.ts'
import type { OpenedWork, WorkOptions } from '../open-work.ts'
import type { MembershipOptions } from './membership.ts'
import { Worker } from './worker.ts'

/** Joins whoever works on a store. What is to be done once takes everything that is configured, or is refused. Throws `store_unusable`, `store_locked`. */
export async function openSharedWork(
  options: WorkOptions & Pick<MembershipOptions, 'timed'>,
  store: SharedStore,
  opening: AsyncDisposableStack,
): Promise<OpenedWork & { readonly share: Worker }> {
  const { command } = options
  const facts = { host: hostname(), pid: process.pid, command, version: readVersion() }
  const share = opening.use(await Worker.join({ ...options, store, facts }))
  if (command === 'once') await share.takeAll()
  return { store, share, look: async () => await store.assertInPlace() }
}
