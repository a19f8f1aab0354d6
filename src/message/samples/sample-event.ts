import { EVENT_CATALOGUE, type EventType } from '../../model/event-catalogue.ts'
import type { Change, ShipbellEvent } from '../../model/event.ts'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { summariseShipment } from '../../model/shipment.ts'
import { SAMPLE_EXTRAS } from './sample-extras.ts'
import {
  SAMPLE_DOCUMENT,
  SAMPLE_INVOICE,
  SAMPLE_LOCATION,
  SAMPLE_ORDER,
  SAMPLE_PREPARATION,
  SAMPLE_SHIPMENT,
  SAMPLE_TRACKING,
} from './sample-records.ts'

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
    cause: type === 'shipment.milestone_corrected' ? 'correction' : isDiff ? 'change' : 'calendar',
    object: record,
    before: isDiff && !isWhole && isJsonObject(was) ? was : null,
    changes: isDiff && !isWhole ? [change] : null,
    shipment: belongs ? summariseShipment('SHP-1', SAMPLE_SHIPMENT) : null,
    extras: SAMPLE_EXTRAS[type] ?? {},
  }
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
