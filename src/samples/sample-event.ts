import { eventTypeInfo, type EventType } from '../model/event-catalogue.ts'
import type { EventDraft, ShipbellEvent } from '../model/event.ts'
import { isRecordResource, type RecordResource } from '../model/resource.ts'
import { expectationSample } from './expectation-samples.ts'
import { CREDIT_NOTE_STORIES, INVOICE_STORIES } from './invoice-stories.ts'
import { DOCUMENT_STORIES, LOCATION_STORIES, ORDER_STORIES, PREPARATION_STORIES } from './record-stories.ts'
import { SHIPMENT_ID } from './records.ts'
import { accountSample, endpointSample, rejectionSample, testSample, watermarkSample } from './service-samples.ts'
import { SHIPMENT_STORIES } from './shipment-stories.ts'
import { eventsOf, type Story } from './story.ts'
import { TRACKING_STORIES } from './tracking-stories.ts'

type Prefixed<T extends EventType, P extends string> = Extract<T, `${P}.${string}`>
type ServiceType = Prefixed<EventType, 'account' | 'endpoint' | 'shipbell'>
type RecordType = Exclude<EventType, ServiceType | Prefixed<EventType, 'expectation'>>

const STORIES: Readonly<Record<RecordType, Story>> = {
  ...SHIPMENT_STORIES,
  ...TRACKING_STORIES,
  ...INVOICE_STORIES,
  ...CREDIT_NOTE_STORIES,
  ...DOCUMENT_STORIES,
  ...ORDER_STORIES,
  ...LOCATION_STORIES,
  ...PREPARATION_STORIES,
}

const IDS: Readonly<Record<RecordResource, string>> = {
  shipment: SHIPMENT_ID,
  tracking: SHIPMENT_ID,
  invoice: 'INV-1',
  document: '9',
  purchase_order: 'PO-1',
  location: '7',
  order_preparation: 'OP-1',
}

const SEQUENCE = 42

/**
 * One event of a type, for checking and showing what is made of events. All samples are of one small world; what happens in it
 * is told by records alone, and the event is what detection derives from them. Always the same.
 */
export function sampleEvent(type: EventType): ShipbellEvent {
  return { ...sampleDraft(type), sequence: SEQUENCE }
}

function sampleDraft(type: EventType): EventDraft {
  if (type === 'shipbell.test') return testSample()
  if (type === 'shipbell.watermark') return watermarkSample()
  if (type === 'shipbell.configuration_rejected') return rejectionSample()
  if (isOf(type, 'expectation')) return expectationSample(type)
  if (isOf(type, 'account')) return accountSample(type)
  if (isOf(type, 'endpoint')) return endpointSample(type, recordSample('invoice.due_soon'))
  return recordSample(type)
}

function isOf<P extends string>(type: EventType, prefix: P): type is Prefixed<EventType, P> {
  return type.startsWith(`${prefix}.`)
}

/** A story never changes: what detection makes of it is derived once, though a preview asks for it by the thousand. */
const derived = new Map<RecordType, EventDraft>()

function recordSample(type: RecordType): EventDraft {
  const known = derived.get(type)
  if (known !== undefined) return known
  const event = deriveSample(type)
  derived.set(type, event)
  return event
}

/** The last event of the type in its story. */
function deriveSample(type: RecordType): EventDraft {
  const resource = resourceOf(type)
  const id = isOf(type, 'credit_note') ? 'CN-1' : IDS[resource]
  const event = eventsOf({ resource, id, steps: STORIES[type]() }).findLast((each) => each.type === type)
  if (event === undefined) throw new RangeError(`The story of ${type} has no such event.`)
  return event
}

function resourceOf(type: RecordType): RecordResource {
  const resource = eventTypeInfo(type)?.resource
  if (resource === undefined || !isRecordResource(resource)) throw new RangeError(`${type} is about no record.`)
  return resource
}
