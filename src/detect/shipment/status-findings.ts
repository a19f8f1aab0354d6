import { field, type Json } from '../../model/json.ts'
import { SHIPMENT_STATUSES } from '../../model/shipment.ts'
import type { Claims } from '../claims.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { fromTo } from '../from-to.ts'

const ORDER: readonly unknown[] = SHIPMENT_STATUSES

export function statusFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  const regression = isRegression(field(comparison.before, 'status'), field(comparison.after, 'status'))
  const extras = { ...fromTo(comparison, 'status'), regression }
  return leavesFinding('shipment.status_changed', claims.takeUnder('status'), { extras })
}

/** Moved backwards, or out of `cancelled`; never with a status that nobody knows. */
function isRegression(from: Json | undefined, to: Json | undefined): boolean {
  if (!ORDER.includes(to)) return false
  return from === 'cancelled' || ORDER.indexOf(to) < ORDER.indexOf(from)
}
