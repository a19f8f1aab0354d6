import type { RecordResource } from '../model/resource.ts'

/** Paths that change on most reads and were reported, so that a restart does not report them again. */
export interface ChurnStore {
  churning(account: string, resource: RecordResource): Promise<readonly string[]>
}
