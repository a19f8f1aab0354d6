import type { EventType } from '../model/event-catalogue.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { edited } from './edited.ts'
import { DOCUMENT, LOCATION, ORDER, PREPARATION, SHIPMENT, SHIPMENT_ID } from './records.ts'
import { SHIPMENT_STORIES } from './shipment-stories.ts'
import { came, eventsOf, joined, learnt, read, shown, went, type Step, type Story } from './story.ts'

const BASELINE = '2026-11-01T08:00:00Z'
const NOW = '2026-11-21T08:00:00Z'

function changed(record: JsonObject, before: Readonly<Record<string, Json>>): readonly Step[] {
  return [learnt(BASELINE, edited(record, before)), read(NOW, record)]
}

/** What can happen to any record as a whole. */
function coming(record: JsonObject): readonly Step[] {
  return [came(NOW, record)]
}

function going(record: JsonObject): readonly Step[] {
  return [learnt(BASELINE, record), went(NOW)]
}

function returning(record: JsonObject): readonly Step[] {
  return [learnt(BASELINE, record), went('2026-11-20T08:00:00Z'), read(NOW, record)]
}

function standing(record: JsonObject): readonly Step[] {
  return [learnt(BASELINE, record), shown(NOW)]
}

type Stories<P extends string> = Readonly<Record<Extract<EventType, `${P}.${string}`>, Story>>

export const DOCUMENT_STORIES: Stories<'document'> = {
  'document.added': () => coming(DOCUMENT),
  'document.classified': () => changed(DOCUMENT, { '/type': null }),
  'document.updated': () => changed(DOCUMENT, { '/name': 'list.pdf' }),
  'document.removed': () => going(DOCUMENT),
  'document.restored': () => returning(DOCUMENT),
  'document.snapshot': () => standing(DOCUMENT),
}

/** The event of an order line of which more is assigned. */
function assignmentId(): string | null {
  const steps = changed(ORDER, { [`${ASSIGNED}/0/assigned_quantity`]: 60 })
  return eventsOf({ resource: 'purchase_order', id: 'PO-1', steps }).at(-1)?.id ?? null
}

const DELIVERY = '/main_tracking_dates/delivery_date'

/** An order whose shipment's delivery moves, told because of what `type` told of the shipment. */
function delivering(
  dates: readonly JsonObject[],
  type: 'shipment.delivery_date_changed' | 'shipment.delivered',
): readonly Step[] {
  const told = eventsOf({ resource: 'shipment', id: SHIPMENT_ID, steps: SHIPMENT_STORIES[type]() })
  const because = told.findLast((event) => event.type === type)?.id ?? null
  const looks = dates.map((date, index) =>
    joined(`2026-11-2${index}T08:00:05Z`, edited(SHIPMENT, { [DELIVERY]: date }), index === 0 ? null : because),
  )
  return [learnt(BASELINE, ORDER), ...looks]
}

const EARLY: JsonObject = { date: '2026-12-16T09:00:00+01:00', status: 'estimated' }
const LATE: JsonObject = { date: '2026-12-21T09:00:00+01:00', status: 'estimated' }

const ASSIGNED = '/purchase_order_lines/0/assigned_order_lines'

export const ORDER_STORIES: Stories<'purchase_order'> = {
  'purchase_order.created': () => coming(ORDER),
  'purchase_order.assigned': () => changed(ORDER, { [ASSIGNED]: [] }),
  'purchase_order.unassigned': () => [learnt(BASELINE, ORDER), read(NOW, edited(ORDER, { [ASSIGNED]: [] }))],
  'purchase_order.shipped_quantity_changed': () =>
    changed(ORDER, {
      [`${ASSIGNED}/0/shipped_order_lines/0/shipped_quantity`]: 60,
    }),
  'purchase_order.shipment_status_changed': () => changed(ORDER, { [`${ASSIGNED}/0/shipment_status`]: 'booked' }),
  'purchase_order.eta_changed': () => delivering([EARLY, LATE], 'shipment.delivery_date_changed'),
  'purchase_order.delivery_at_risk': () => delivering([EARLY, LATE], 'shipment.delivery_date_changed'),
  'purchase_order.delivery_back_on_track': () => delivering([LATE, EARLY], 'shipment.delivery_date_changed'),
  'purchase_order.fully_assigned': () => [
    learnt(BASELINE, edited(ORDER, { [`${ASSIGNED}/0/assigned_quantity`]: 60 })),
    joined('2026-11-20T08:00:05Z', SHIPMENT),
    read(NOW, ORDER),
    joined('2026-11-21T08:00:05Z', SHIPMENT, assignmentId()),
  ],
  'purchase_order.delivered': () =>
    delivering([LATE, { date: '2026-12-21T11:00:00+01:00', status: 'actual' }], 'shipment.delivered'),
  'purchase_order.updated': () => changed(ORDER, { '/desired_delivery_date': '2026-12-11' }),
  'purchase_order.removed': () => going(ORDER),
  'purchase_order.restored': () => returning(ORDER),
  'purchase_order.snapshot': () => standing(ORDER),
}

export const LOCATION_STORIES: Stories<'location'> = {
  'location.created': () => coming(LOCATION),
  'location.updated': () => changed(LOCATION, { '/name': 'Lyon' }),
  'location.removed': () => going(LOCATION),
  'location.restored': () => returning(LOCATION),
  'location.snapshot': () => standing(LOCATION),
}

export const PREPARATION_STORIES: Stories<'order_preparation'> = {
  'order_preparation.created': () => coming(PREPARATION),
  'order_preparation.updated': () => changed(PREPARATION, { '/name': 'Spring collection' }),
  'order_preparation.removed': () => going(PREPARATION),
  'order_preparation.restored': () => returning(PREPARATION),
  'order_preparation.snapshot': () => standing(PREPARATION),
}
