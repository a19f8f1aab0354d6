import type { EventType } from '../../model/event-catalogue.ts'
import type { JsonObject } from '../../model/json.ts'
import { SAMPLE_CONTAINER, SAMPLE_ORDER_LINE, SAMPLE_STEP, SAMPLE_TRACKING_EVENT } from './sample-records.ts'

const TO = { date: '2026-12-15T10:00:00Z', status: 'estimated' }

const MOVED = {
  from: { date: '2026-12-12T10:00:00Z', status: 'estimated' },
  to: TO,
  shift_minutes: 4_320,
  direction: 'later',
  first: { date: '2026-12-10T10:00:00Z', seen_at: '2026-11-01T08:00:00.000Z' },
  drift_minutes: 7_200,
  revision: 3,
}

function dateChange(milestone: string, status = 'estimated', was = 'estimated'): JsonObject {
  return { date_change: { ...MOVED, milestone, from: { ...MOVED.from, status: was }, to: { ...TO, status } } }
}

const EVENT = SAMPLE_TRACKING_EVENT
const STEP = SAMPLE_STEP
const WAS = { ...EVENT, date: '2026-11-19T10:00:00Z', status: 'estimated' }
const LINE = SAMPLE_ORDER_LINE
const CONTAINER = { container: SAMPLE_CONTAINER }
const AT = '2026-11-21T08:00:00.000Z'
const DUE = { due_date: '2026-12-01', at: AT }
const AMOUNTS = { from: { EUR: '1200' }, to: { EUR: '1250.5' } }

/** What each type adds to `data` (contract section 4); types that add nothing are left out. */
export const SAMPLE_EXTRAS: Readonly<Partial<Record<EventType, JsonObject>>> = {
  'shipment.status_changed': { from: 'booked', to: 'in_progress', regression: false },
  'shipment.pickup_date_changed': dateChange('pickup'),
  'shipment.etd_changed': dateChange('departure'),
  'shipment.eta_changed': dateChange('arrival'),
  'shipment.delivery_date_changed': dateChange('delivery'),
  'shipment.picked_up': dateChange('pickup', 'actual'),
  'shipment.departed': dateChange('departure', 'actual'),
  'shipment.arrived': dateChange('arrival', 'actual'),
  'shipment.delivered': dateChange('delivery', 'actual'),
  'shipment.milestone_corrected': {
    ...dateChange('departure', 'actual', 'actual'),
    corrects: 'evt_fedcba9876543210fedcba9876543210fedcba98',
  },
  'shipment.problem_reported': dateChange('arrival', 'problem'),
  'shipment.problem_cleared': dateChange('arrival'),
  'shipment.rolled': {
    from: { vessel: 'Ever Given', voyage: '12E', flight_number: null },
    to: { vessel: 'Ever Ace', voyage: '13E', flight_number: null },
  },
  'shipment.container_added': CONTAINER,
  'shipment.container_updated': CONTAINER,
  'shipment.container_removed': CONTAINER,
  'shipment.invoice_status_changed': { from: 'awaiting_invoice', to: 'due' },
  'shipment.delivery_at_risk': { slack_days: -3, at: AT },
  'shipment.delivery_back_on_track': { slack_days: 2, at: AT },
  'shipment.milestone_overdue': { milestone: 'arrival', hours_late: 30, date: '2026-11-20T10:00:00Z', at: AT },
  'tracking.event_added': { step: STEP, event: EVENT, previous_event: null },
  'tracking.event_updated': { step: STEP, event: { ...EVENT, status: 'estimated' }, previous_event: WAS },
  'tracking.event_actualised': { step: STEP, event: EVENT, previous_event: WAS },
  'tracking.event_retracted': { step: STEP, event: null, previous_event: WAS },
  'tracking.status_changed': { from: 'booked', to: 'at_sea' },
  'tracking.position_changed': { position: { latitude: '31.23', longitude: '121.47' } },
  'invoice.status_changed': { from: 'new', to: 'due' },
  'invoice.due_date_changed': { from: '2026-11-28', to: '2026-12-01' },
  'invoice.amount_changed': AMOUNTS,
  'invoice.due_soon': { lead: '7d', days_left: 7, ...DUE },
  'invoice.due': { reason: 'date', ...DUE },
  'invoice.overdue': { days_overdue: 1, ...DUE, late_by: 180 },
  'invoice.overdue_cleared': DUE,
  'credit_note.status_changed': { from: 'new', to: 'paid' },
  'credit_note.due_date_changed': { from: null, to: '2026-12-01' },
  'credit_note.amount_changed': AMOUNTS,
  'purchase_order.assigned': { line: LINE, shipment_id: 'SHP-1' },
  'purchase_order.unassigned': { line: LINE, shipment_id: 'SHP-1' },
  'purchase_order.shipped_quantity_changed': { line: LINE, shipment_id: 'SHP-1' },
  'account.baseline_completed': { resource: 'shipments', count: 240, at: AT },
  'account.unreachable': { reason: 'the platform answered 503', at: AT },
  'account.unauthorized': { reason: 'the platform answered 401', at: AT },
  'account.clock_differs': { difference_seconds: 172_800, platform_date: '2026-11-19T08:00:00.000Z', at: AT },
  'account.removals_held': {
    resource: 'shipments',
    reason: 'too_many',
    known: 240,
    missing: 120,
    sample: ['SHP-1'],
    at: AT,
  },
  'account.schema_drift': { resource: 'shipments', path: '/carbon_footprint', at: AT },
  'endpoint.failing': { reason: 'erp.example answered 503', failures: 4, since: '2026-11-21T07:24:55.000Z', at: AT },
  'endpoint.exhausted': { reason: 'erp.example answered 503', failures: 130, since: AT, at: AT },
  'endpoint.disabled': { reason: 'erp.example answered 410', held: 12, since: AT, at: AT },
  'endpoint.recovered': { was: 'failing', down_since: '2026-11-21T07:24:55.000Z', at: AT },
  'endpoint.filter_failed': { where: 'data.days_left < 3', reason: 'no such overload: string < int', at: AT },
  'account.record_rejected': { resource: 'invoices', id: 'INV-9', reason: '`lines` is not an array', more: 0, at: AT },
}
