import { field, isJsonArray } from '../../model/json.ts'
import { Claims, leavesFinding, type Finding } from '../claims.ts'
import { fromTo, type Comparison, type ResourceRules } from '../comparison.ts'
import { trackingEstimates } from './tracking-estimates.ts'
import { trackingEventFindings } from './tracking-event-findings.ts'
import { TRACKING_SHAPE } from './tracking-shape.ts'

export const trackingRules: ResourceRules = {
  shape: TRACKING_SHAPE,
  isIdentity: (name) => /(?:^|_)shipment_id$/.test(name),
  estimates: trackingEstimates,
  learn: ({ memory }) => memory,
  appeared: (_, leaves) => trackingEventFindings(new Claims(leaves())),
  changed: (comparison, leaves) => {
    const claims = new Claims(leaves)
    return [
      ...leavesFinding('tracking.status_changed', claims.takeUnder('status'), { extras: fromTo(comparison, 'status') }),
      ...trackingEventFindings(claims),
      ...positionFindings(comparison, claims),
      ...leavesFinding('tracking.updated', claims.takeRest()),
    ]
  },
}

/** The track moved on, or was redrawn; `position` is its last point as sent, null where there is none. */
function positionFindings({ sent }: Comparison, claims: Claims): readonly Finding[] {
  const track = field(sent, 'ocean_coordinates')
  const position = (isJsonArray(track) ? track.at(-1) : null) ?? null
  return leavesFinding('tracking.position_changed', claims.takeUnder('ocean_coordinates'), { extras: { position } })
}
