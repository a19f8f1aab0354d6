import { field, isJsonArray } from '../../model/json.ts'
import type { Claims } from '../claims.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'

/** The track moved on, or was redrawn; `position` is its last point as sent, null where there is none. */
export function positionFindings({ sent }: Comparison, claims: Claims): readonly Finding[] {
  const track = field(sent, 'ocean_coordinates')
  const position = (isJsonArray(track) ? track.at(-1) : null) ?? null
  return leavesFinding('tracking.position_changed', claims.takeUnder('ocean_coordinates'), { extras: { position } })
}
