import type { ItemSource } from './item-source.ts'

interface ListRead {
  readonly resource: string
  readonly incomplete: string | null
}

const NOT_ALL_SHIPMENTS = 'the shipments were not all read'

/** Tracking is complete only where all shipments are known. */
export function missingOwners({ watch }: ItemSource, lists: readonly ListRead[]): string | null {
  const shipments = lists.find(({ resource }) => resource === 'shipments')
  return watch === 'tracking' && shipments !== undefined && shipments.incomplete !== null ? NOT_ALL_SHIPMENTS : null
}
