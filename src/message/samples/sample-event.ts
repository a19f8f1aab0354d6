import { EVENT_CATALOGUE, type EventType } from '../../model/event-catalogue.ts'
import type { Change, ShipbellEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
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
  /** A top-level field that changed. */
  readonly field: string
  readonly from: Json
}

const SAMPLES: Readonly<Record<SubjectResource, Sample>> = {
  shipment: { id: 'SHP-1', object: SAMPLE_SHIPMENT, field: 'name', from: 'Summer collection' },
  tracking: { id: 'SHP-1', object: SAMPLE_TRACKING, field: 'status', from: 'booked' },
  invoice: { id: 'INV-1', object: SAMPLE_INVOICE, field: 'number', from: '2026-0041' },
  document: { id: '9', object: SAMPLE_DOCUMENT, field: 'name', from: 'list.pdf' },
  purchase_order: { id: 'PO-1', object: SAMPLE_ORDER, field: 'status', from: 'draft' },
  location: { id: '7', object: SAMPLE_LOCATION, field: 'name', from: 'Lyon' },
  order_preparation: { id: 'OP-1', object: SAMPLE_PREPARATION, field: 'status', from: 'draft' },
  account: { id: 'acme', object: null, field: '', from: null },
  subscription: { id: 'erp', object: null, field: '', from: null },
}

/** One event of a type as it could ring, for checking and showing what is made of events. */
export function sampleEvent(type: EventType): ShipbellEvent {
  const info = EVENT_CATALOGUE.find((each) => each.type === type)
  const resource = info?.resource ?? 'shipment'
  const isDiff = info?.family === 'diff'
  const { id, object } = SAMPLES[resource]
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
    before: isDiff && !isWhole ? beforeOf(resource) : null,
    changes: isDiff && !isWhole ? changesOf(resource) : null,
    shipment: belongs ? summariseShipment('SHP-1', SAMPLE_SHIPMENT) : null,
    extras: SAMPLE_EXTRAS[type] ?? {},
  }
}

function beforeOf(resource: SubjectResource): JsonObject {
  const { object, field, from } = SAMPLES[resource]
  return { ...object, [field]: from }
}

function changesOf(resource: SubjectResource): readonly Change[] {
  const { object, field, from } = SAMPLES[resource]
  return [{ path: `/${field}`, from, to: object?.[field] ?? null }]
}
