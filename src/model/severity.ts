import type { EventType } from './event-catalogue.ts'
import { field, type Json } from './json.ts'

/** How bad an event is, and the exception that it opens: `good` news, `neutral`, a `warning`, or `critical` where somebody has to act. */
export const SEVERITIES = ['good', 'neutral', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Fixed for a type, or read from `data`. */
type SeverityRule = Severity | ((data: Json | undefined) => Severity)

/** The severity of every event type, wherever it is told, coloured or counted. A type without one does not compile. */
const OF_TYPE: Readonly<Record<EventType, SeverityRule>> = {
  'shipment.created': 'neutral',
  'shipment.removed': 'warning',
  'shipment.restored': 'good',
  'shipment.snapshot': 'neutral',
  'shipment.status_changed': (data) =>
    field(data, 'regression') === true || field(data, 'to') === 'cancelled' ? 'warning' : 'neutral',
  'shipment.pickup_date_changed': ofShift,
  'shipment.etd_changed': ofShift,
  'shipment.eta_changed': ofShift,
  'shipment.delivery_date_changed': ofShift,
  'shipment.picked_up': 'good',
  'shipment.departed': 'good',
  'shipment.arrived': 'good',
  'shipment.delivered': 'good',
  'shipment.milestone_corrected': 'warning',
  'shipment.problem_reported': 'critical',
  'shipment.problem_cleared': 'good',
  'shipment.rolled': 'warning',
  'shipment.booking_updated': 'neutral',
  'shipment.container_added': 'neutral',
  'shipment.container_updated': 'neutral',
  'shipment.container_removed': 'warning',
  'shipment.cargo_updated': 'neutral',
  'shipment.invoice_status_changed': 'neutral',
  'shipment.rerouted': 'warning',
  'shipment.cargo_ready_date_changed': ofDays,
  'shipment.desired_delivery_date_changed': 'neutral',
  'shipment.quote_accepted': 'neutral',
  'shipment.references_changed': 'neutral',
  'shipment.goods_updated': 'neutral',
  'shipment.updated': 'neutral',
  'shipment.delivery_at_risk': 'critical',
  'shipment.delivery_back_on_track': 'good',
  'shipment.milestone_overdue': 'critical',
  'document.added': 'neutral',
  'document.classified': 'neutral',
  'document.updated': 'neutral',
  'document.removed': 'warning',
  'document.restored': 'neutral',
  'document.snapshot': 'neutral',
  'purchase_order.created': 'neutral',
  'purchase_order.updated': 'neutral',
  'purchase_order.removed': 'warning',
  'purchase_order.restored': 'neutral',
  'purchase_order.snapshot': 'neutral',
  'purchase_order.assigned': 'good',
  'purchase_order.unassigned': 'warning',
  'purchase_order.shipped_quantity_changed': 'neutral',
  'purchase_order.shipment_status_changed': (data) => (field(data, 'to') === 'cancelled' ? 'warning' : 'neutral'),
  'purchase_order.eta_changed': (data) => ofMinutes(field(data, 'shift_minutes')),
  'purchase_order.delivery_at_risk': 'critical',
  'purchase_order.delivery_back_on_track': 'good',
  'purchase_order.fully_assigned': 'good',
  'purchase_order.delivered': 'good',
  'location.created': 'neutral',
  'location.updated': 'neutral',
  'location.removed': 'warning',
  'location.restored': 'neutral',
  'location.snapshot': 'neutral',
  'order_preparation.created': 'neutral',
  'order_preparation.updated': 'neutral',
  'order_preparation.removed': 'warning',
  'order_preparation.restored': 'neutral',
  'order_preparation.snapshot': 'neutral',
  'invoice.created': 'neutral',
  'invoice.status_changed': 'neutral',
  'invoice.due_date_changed': 'warning',
  'invoice.amount_changed': 'warning',
  'invoice.updated': 'neutral',
  'invoice.removed': 'warning',
  'invoice.restored': 'neutral',
  'invoice.snapshot': 'neutral',
  'invoice.due_soon': 'warning',
  'invoice.due': 'warning',
  'invoice.overdue': 'critical',
  'invoice.overdue_cleared': 'good',
  'credit_note.created': 'neutral',
  'credit_note.status_changed': 'neutral',
  'credit_note.due_date_changed': 'neutral',
  'credit_note.amount_changed': 'warning',
  'credit_note.updated': 'neutral',
  'credit_note.removed': 'warning',
  'credit_note.restored': 'neutral',
  'credit_note.snapshot': 'neutral',
  'tracking.event_added': 'neutral',
  'tracking.event_updated': 'neutral',
  'tracking.event_actualised': 'good',
  'tracking.event_retracted': 'warning',
  'tracking.status_changed': 'neutral',
  'tracking.position_changed': 'neutral',
  'tracking.updated': 'neutral',
  'tracking.snapshot': 'neutral',
  'account.baseline_completed': 'good',
  'account.unreachable': 'critical',
  'account.unauthorized': 'critical',
  'account.paused': 'warning',
  'account.recovered': 'good',
  'account.list_incomplete': 'critical',
  'account.list_stale': 'critical',
  'account.clock_differs': 'warning',
  'account.removals_held': 'critical',
  'account.schema_drift': 'neutral',
  'account.record_rejected': 'warning',
  'endpoint.failing': 'warning',
  'endpoint.exhausted': 'critical',
  'endpoint.disabled': 'critical',
  'endpoint.recovered': 'good',
  'endpoint.filter_failed': 'warning',
  'shipbell.configuration_rejected': 'critical',
  'shipbell.watermark': 'neutral',
  'shipbell.test': 'neutral',
  'expectation.missed': ofRule,
  'expectation.met': 'good',
  'expectation.withdrawn': 'neutral',
}

/** How bad an event of a type is; one that this version does not know is neutral. */
export function severityOf(type: string, data: Json | undefined): Severity {
  const known: Readonly<Record<string, SeverityRule>> = OF_TYPE
  const rule = Object.hasOwn(known, type) ? known[type] : undefined
  return typeof rule === 'function' ? rule(data) : (rule ?? 'neutral')
}

/** A day: later is a warning, earlier is good news. */
function ofDays(data: Json | undefined): Severity {
  return ofMinutes(field(data, 'shift_days'))
}

/** A date: later is a warning, earlier is good news. */
function ofShift(data: Json | undefined): Severity {
  return ofMinutes(field(field(data, 'date_change'), 'shift_minutes'))
}

function ofMinutes(shift: Json | undefined): Severity {
  if (typeof shift !== 'number' || shift === 0) return 'neutral'
  return shift > 0 ? 'warning' : 'good'
}

/** How bad the rule of an expectation says that it is. */
function ofRule(data: Json | undefined): Severity {
  const severity = field(data, 'severity')
  return severity === 'critical' || severity === 'neutral' ? severity : 'warning'
}
