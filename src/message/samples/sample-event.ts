import { EVENT_CATALOGUE, type EventType } from '../../model/event-catalogue.ts'
import type { Cause, Change, ShipbellEvent } from '../../model/event.ts'
import type { EventFamily } from '../../model/event-type-info.ts'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { summariseShipment } from '../../model/shipment.ts'
import {
  SAMPLE_CONTAINER,
  SAMPLE_DOCUMENT,
  SAMPLE_INVOICE,
  SAMPLE_LOCATION,
  SAMPLE_ORDER,
  SAMPLE_ORDER_LINE,
  SAMPLE_PREPARATION,
  SAMPLE_SHIPMENT,
  SAMPLE_STEP,
  SAMPLE_TRACKING,
  SAMPLE_TRACKING_EVENT,
} from './sample-records.ts'

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

/** What each type adds to `data` (guarantee E1); types that add nothing are left out. */
const SAMPLE_EXTRAS: Readonly<Partial<Record<EventType, JsonObject>>> = {
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

const T = Date.UTC(2026, 10, 21, 8)
const BEFORE_MS = 120_000

interface Sample {
  readonly id: string
  readonly object: JsonObject | null
  /** What changed, where a type names nothing else. */
  readonly change: Omit<Change, 'to'>
}

const SAMPLES: Readonly<Record<SubjectResource, Sample>> = {
  shipment: { id: 'SHP-1', object: SAMPLE_SHIPMENT, change: { path: '/name', from: 'Summer collection' } },
  tracking: { id: 'SHP-1', object: SAMPLE_TRACKING, change: { path: '/status', from: 'booked' } },
  invoice: { id: 'INV-1', object: SAMPLE_INVOICE, change: { path: '/number', from: '2026-0041' } },
  document: { id: '9', object: SAMPLE_DOCUMENT, change: { path: '/name', from: 'list.pdf' } },
  purchase_order: {
    id: 'PO-1',
    object: SAMPLE_ORDER,
    change: { path: '/desired_delivery_date', from: '2026-12-11' },
  },
  location: { id: '7', object: SAMPLE_LOCATION, change: { path: '/name', from: 'Lyon' } },
  order_preparation: { id: 'OP-1', object: SAMPLE_PREPARATION, change: { path: '/name', from: 'Spring collection' } },
  account: { id: 'acme', object: null, change: { path: '', from: null } },
  subscription: { id: 'erp', object: null, change: { path: '', from: null } },
}

const SHIPPED = '/purchase_order_lines/0/assigned_order_lines/0/shipped_order_lines/0/shipped_quantity'

const CHANGES: Readonly<Partial<Record<EventType, Sample['change']>>> = {
  'shipment.booking_updated': { path: '/booking_information/master_bill', from: 'MAEU122' },
  'shipment.container_updated': { path: '/cargo/containers/0/seal_number', from: 'SL-4710' },
  'shipment.cargo_updated': { path: '/cargo/total_weight/value', from: 16_100 },
  'document.classified': { path: '/type', from: null },
  'purchase_order.shipped_quantity_changed': { path: SHIPPED, from: 60 },
}

/** One event of a type as it could ring, for checking and showing what is made of events. */
export function sampleEvent(type: EventType): ShipbellEvent {
  const info = EVENT_CATALOGUE.find((each) => each.type === type)
  const resource = info?.resource ?? 'shipment'
  const isDiff = info?.family === 'diff'
  const { id, object } = SAMPLES[resource]
  const change = changeOf(type, SAMPLES[resource])
  const was = before(object ?? undefined, parsePointer(change.path), change.from)
  const record = resource === 'invoice' && type.startsWith('credit_note.') ? { ...object, type: 'credit_note' } : object
  const isWhole = /\.(?:created|removed|restored)$|^document\.added$/.test(type)
  const belongs = resource === 'shipment' || resource === 'tracking' || resource === 'invoice'
  return {
    id: 'evt_0123456789abcdef0123456789abcdef01234567',
    type,
    account: resource === 'subscription' ? null : 'acme',
    sequence: 42,
    subject: { resource, id, version: 2, previousEventId: 'evt_fedcba9876543210fedcba9876543210fedcba98' },
    timestamp: T,
    observed: isDiff ? { notBefore: T - BEFORE_MS, notAfter: T } : null,
    cause: causeOf(type, info?.family),
    object: record,
    before: isDiff && !isWhole && isJsonObject(was) ? was : null,
    changes: isDiff && !isWhole ? [change] : null,
    shipment: belongs ? summariseShipment('SHP-1', SAMPLE_SHIPMENT) : null,
    extras: SAMPLE_EXTRAS[type] ?? {},
  }
}

function causeOf(type: EventType, family: EventFamily | undefined): Cause {
  if (type === 'shipment.milestone_corrected') return 'correction'
  if (type === 'shipbell.test') return 'test'
  return family === 'calendar' ? 'calendar' : 'change'
}

function changeOf(type: EventType, { object, change }: Sample): Change {
  const { path, from } = CHANGES[type] ?? change
  return { path, from, to: parsePointer(path).reduce<Json | undefined>(step, object ?? undefined) ?? null }
}

/** A record as it was before a change. */
function before(value: Json | undefined, [name, ...rest]: readonly string[], from: Json): Json {
  if (name === undefined) return from
  const changed = before(step(value, name), rest, from)
  if (value !== undefined && isJsonArray(value)) return value.with(Number(name), changed)
  return { ...(value !== undefined && isJsonObject(value) ? value : {}), [name]: changed }
}

function step(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonArray(value) ? value[Number(name)] : field(value, name)
}
