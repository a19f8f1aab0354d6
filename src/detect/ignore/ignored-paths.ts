import type { AccountSettings } from '../../model/account.ts'
import type { RecordResource, Watchable } from '../../model/resource.ts'

const NONE: readonly string[] = []

/** The JSON Pointers that an account ignores of a resource: those of `ignore`, and positions that are not watched. */
export function ignoredPaths({ watch }: Pick<AccountSettings, 'watch'>, resource: RecordResource): readonly string[] {
  const ignore = watch[watchableOf(resource)]?.ignore ?? NONE
  const watchesPositions = resource !== 'tracking' || watch.tracking?.positions === true
  return watchesPositions ? ignore : [...ignore, '/ocean_coordinates']
}

function watchableOf(resource: RecordResource): Watchable {
  switch (resource) {
    case 'tracking':
      return resource
    case 'shipment':
    case 'invoice':
    case 'document':
    case 'purchase_order':
    case 'location':
    case 'order_preparation':
      return `${resource}s`
    default:
      return resource satisfies never
  }
}
