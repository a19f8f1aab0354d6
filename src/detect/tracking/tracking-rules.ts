import { Claims } from '../claims.ts'
import type { ResourceRules } from '../comparison.ts'
import { leavesFinding } from '../finding.ts'
import { fromTo } from '../from-to.ts'
import { positionFindings } from './position-findings.ts'
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
