import type { ResourceRules } from '../comparison.ts'
import { Claims } from '../claims.ts'
import { leavesFinding } from '../finding.ts'
import { fromTo } from '../from-to.ts'
import { bookingFindings } from './booking-findings.ts'
import { containerFindings } from './container-findings.ts'
import { learnMilestones, rememberActuals } from './milestone-memory.ts'
import { milestoneFindings } from './milestone-findings.ts'
import { shipmentEstimates } from './shipment-estimates.ts'
import { SHIPMENT_SHAPE } from './shipment-shape.ts'
import { statusFindings } from './status-findings.ts'

export const shipmentRules: ResourceRules = {
  shape: SHIPMENT_SHAPE,
  isIdentity: (name) => /(?:^|_)shipment_id$/.test(name),
  estimates: shipmentEstimates,
  learn: learnMilestones,
  appeared: ({ after }) => [
    {
      type: 'shipment.created',
      about: { kind: 'record' },
      extras: {},
      remember: (memory, id) => rememberActuals(memory, after, id),
    },
  ],
  changed: (comparison, leaves) => {
    const claims = new Claims(leaves)
    return [
      ...statusFindings(comparison, claims),
      ...milestoneFindings(comparison, claims),
      ...bookingFindings(comparison, claims),
      ...containerFindings(claims),
      ...leavesFinding('shipment.cargo_updated', claims.takeUnder('cargo')),
      ...leavesFinding('shipment.invoice_status_changed', claims.takeUnder('invoice_status'), {
        extras: fromTo(comparison, 'invoice_status'),
      }),
      ...leavesFinding('shipment.updated', claims.takeRest()),
    ]
  },
}
