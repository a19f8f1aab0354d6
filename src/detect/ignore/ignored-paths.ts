import type { AccountSettings } from '../../model/account.ts'
import { watchedAs, type RecordResource } from '../../model/resource.ts'

const NONE: readonly string[] = []

/** The JSON Pointers that an account ignores of a resource: those of `ignore`, and positions that are not watched. */
export function ignoredPaths({ watch }: Pick<AccountSettings, 'watch'>, resource: RecordResource): readonly string[] {
  const ignore = watch[watchedAs(resource)]?.ignore ?? NONE
  const watchesPositions = resource !== 'tracking' || watch.tracking?.positions === true
  return watchesPositions ? ignore : [...ignore, '/ocean_coordinates']
}
