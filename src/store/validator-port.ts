import type { RecordResource } from '../model/resource.ts'

/** ETags that were caught lying, so that a restart does not believe them again. */
export interface ValidatorStore {
  validatorsLie(account: string, resource: RecordResource): Promise<boolean>
}
