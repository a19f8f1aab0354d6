import { RECORD_OF, type RecordResource } from '../model/resource.ts'

/** The name under `watch`. */
export function watchedAs(resource: RecordResource): string {
  return Object.entries(RECORD_OF).find(([, record]) => record === resource)?.[0] ?? resource
}
