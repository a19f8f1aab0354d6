import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventType } from '../../src/model/event-catalogue.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { NOTHING_ROUTED, route } from '../../src/route/route.ts'
import { subscription } from '../support/subscription.ts'
import { event, filter, HOUR, T } from './samples.ts'

const ERP = subscription('erp', { events: ['shipment.*', 'invoice.*', 'credit_note.*'], minShiftMs: 12 * HOUR })

type Hours = number | null

/** A date as many hours from T; null: none. */
function dateAt(hours: Hours, status = 'estimated'): JsonObject | null {
  return hours === null ? null : { date: formatInstant(T + hours * HOUR), status }
}

const MILESTONE_OF: ReadonlyMap<EventType, string> = new Map([
  ['shipment.pickup_date_changed', 'pickup'],
  ['shipment.etd_changed', 'departure'],
  ['shipment.delivery_date_changed', 'delivery'],
  ['shipment.delivered', 'delivery'],
])

/** A date went `from` → `to` (hours): the arrival, unless the type names another. */
function moved(from: Hours, to: Hours, type: EventType = 'shipment.eta_changed'): EventDraft {
  const milestone = MILESTONE_OF.get(type) ?? 'arrival'
  const extras = { date_change: { milestone, from: dateAt(from), to: dateAt(to) } }
  return event('', type, { changes: [], object: { main_tracking_dates: { arrival_date: dateAt(to) } }, extras })
}

function due(from: string | null, to: string | null, type: EventType = 'invoice.due_date_changed'): EventDraft {
  const subject = { resource: 'invoice', id: 'INV-1', version: 1, previousEventId: null } as const
  return event('', type, { subject, changes: [], extras: { from, to } })
}

/** An event of a whole record. */
function whole(type: EventType, object: JsonObject, resource: 'shipment' | 'invoice' = 'shipment'): EventDraft {
  const subject = { resource, id: resource === 'shipment' ? 'SHP-1' : 'INV-1', version: 1, previousEventId: null }
  return event('', type, { subject, object })
}

/** The expected delivery of an order. */
function expected(from: Hours, to: Hours, type: EventType = 'purchase_order.eta_changed'): EventDraft {
  const subject = { resource: 'purchase_order', id: 'PO-1', version: 1, previousEventId: null } as const
  const extras = { from: dateAt(from), to: dateAt(to) }
  return event('', type, { subject, cause: 'derived', object: {}, extras })
}

function shipmentWith(arrival: Json): JsonObject {
  return { main_tracking_dates: { arrival_date: arrival } }
}

/** One after the other, each in a batch of its own on the state that those before it left: which were sent. */
function sent(events: readonly EventDraft[], to = ERP): readonly boolean[] {
  let state = NOTHING_ROUTED
  return events.map((each, index) => {
    const numbered = { ...each, id: `evt_${index}`, subject: { ...each.subject, version: index + 1 } }
    const { deliveries, dates } = route([numbered], [to], state)
    const keys = new Set(dates.map(({ subject, date }) => `${subject.id} ${date}`))
    const others = state.dates.filter(({ subject, date }) => !keys.has(`${subject.id} ${date}`))
    state = { lastSequence: index + 1, dates: [...others, ...dates] }
    return deliveries.length === 1
  })
}

const YES = true
const NO = false

describe('a date change is sent only when the date is that far from the value last sent', () => {
  test('at least as far, in either direction', () => {
    expect(sent([moved(0, 11.9)])).toEqual([NO])
    expect(sent([moved(0, 12)])).toEqual([YES])
    expect(sent([moved(0, -12)])).toEqual([YES])
  })

  test('creeping drift rings once it has crept that far from the value it first changed from', () => {
    expect(sent([moved(0, 5), moved(5, 10), moved(10, 13), moved(13, 20), moved(20, 25)])).toEqual([
      NO,
      NO,
      YES,
      NO,
      YES,
    ])
  })

  test('a value that wanders to and fro near the one last sent stays silent', () => {
    expect(sent([moved(0, 20), moved(20, 10), moved(10, 25), moved(25, 20)])).toEqual([YES, NO, NO, NO])
  })

  test('a date that is overdue was told, and the next change is compared with it', () => {
    const date = dateAt(8)?.['date'] ?? null
    const overdue = event('', 'shipment.milestone_overdue', {
      cause: 'calendar',
      extras: { milestone: 'arrival', date, hours_late: 24 },
    })
    expect(sent([moved(0, 8), overdue, moved(8, 13)])).toEqual([NO, YES, NO])
  })

  test('only a status that changed is no distance', () => {
    expect(sent([moved(0, 0), moved(0, 13), moved(13, 13)])).toEqual([NO, YES, NO])
  })

  test('a date that comes, goes or cannot be read has no distance and passes', () => {
    expect(sent([moved(null, 5), moved(5, 6), moved(6, null), moved(null, 5), moved(5, 6)])).toEqual([
      YES,
      NO,
      YES,
      YES,
      NO,
    ])
    const unreadable = { date_change: { milestone: 'arrival', from: dateAt(0), to: { date: 'soon' } } }
    expect(sent([event('', 'shipment.eta_changed', { changes: [], extras: unreadable })])).toEqual([YES])
  })

  test.each([
    'shipment.pickup_date_changed',
    'shipment.etd_changed',
    'shipment.eta_changed',
    'shipment.delivery_date_changed',
  ] as const)('each milestone for itself: %s', (type) => {
    const other = type === 'shipment.eta_changed' ? 'shipment.delivered' : 'shipment.arrived'
    expect(sent([moved(0, 50, other), moved(0, 11, type)])).toEqual([YES, NO])
    expect(sent([moved(0, 12, type)])).toEqual([YES])
  })

  test.each(['invoice.due_date_changed', 'credit_note.due_date_changed'] as const)('due dates too: %s', (type) => {
    const weekly = { ...ERP, minShiftMs: 7 * 24 * HOUR }
    const events = [due('2026-12-01', '2026-12-05', type), due('2026-12-05', '2026-12-08', type)]
    expect(sent(events, weekly)).toEqual([NO, YES])
  })
})

describe('the value compared with moves on with every event that carries the date', () => {
  test.each(['shipment.problem_reported', 'shipment.arrived', 'shipment.milestone_corrected'] as const)(
    '%s',
    (type) => {
      expect(sent([moved(0, 10, type), moved(10, 13)])).toEqual([YES, NO])
    },
  )

  test('a whole shipment or invoice', () => {
    expect(sent([moved(0, 5), whole('shipment.restored', shipmentWith(dateAt(11))), moved(11, 13)])).toEqual([
      NO,
      YES,
      NO,
    ])
    expect(sent([whole('shipment.created', shipmentWith(dateAt(0))), moved(0, 11), moved(11, 12)])).toEqual([
      YES,
      NO,
      YES,
    ])
    expect(
      sent([whole('invoice.created', { due_date: '2026-12-01' }, 'invoice'), due('2026-12-01', '2026-12-01')]),
    ).toEqual([YES, NO])
  })

  test('a calendar event that names the due date', () => {
    const subject = { resource: 'invoice', id: 'INV-1', version: 1, previousEventId: null } as const
    const soon = event('', 'invoice.due_soon', { subject, cause: 'calendar', extras: { due_date: '2026-12-04' } })
    const weekly = { ...ERP, minShiftMs: 7 * 24 * HOUR }
    const events = [due('2026-12-01', '2026-12-04'), soon, due('2026-12-04', '2026-12-09')]
    expect(sent(events, weekly)).toEqual([NO, YES, NO])
  })

  test('but not with an event that only shows it in its object: the drift was told to nobody', () => {
    const shown = event('', 'shipment.cargo_updated', { changes: [], object: shipmentWith(dateAt(11)) })
    expect(sent([moved(0, 11), shown, moved(11, 13)])).toEqual([NO, YES, YES])
  })

  test('nor with one that was not sent', () => {
    const only = { ...ERP, events: ['shipment.eta_changed'] }
    expect(sent([moved(0, 11, 'shipment.problem_reported'), moved(11, 13)], only)).toEqual([NO, YES])
    const filtered = { ...ERP, filter: filter('data.date_change.to.status == "planned"') }
    expect(sent([moved(0, 30), moved(30, 60)], filtered)).toEqual([NO, NO])
  })

  test('rows that wait at a disabled endpoint count as sent', () => {
    expect(sent([moved(0, 12), moved(12, 13)], { ...ERP, enabled: false })).toEqual([YES, NO])
  })
})

test('everything else passes', () => {
  const types = ['shipment.status_changed', 'shipment.departed', 'shipment.delivery_at_risk', 'invoice.due'] as const
  expect(sent(types.map((type) => event('', type, { changes: [], extras: {} })))).toEqual([YES, YES, YES, YES])
})

test('each subscription, subject and event of a batch is judged on what those before it left', () => {
  const [first, second] = [moved(0, 8), moved(8, 13)].map((each, index) => ({
    ...each,
    id: `evt_${index}`,
    subject: { ...each.subject, version: index + 1 },
  }))
  if (first === undefined || second === undefined) throw new Error('two events')
  const other = { ...second, id: 'evt_9', subject: { ...second.subject, id: 'SHP-2' } }
  const keen = { ...ERP, name: 'keen', minShiftMs: HOUR }
  const { deliveries, dates } = route([first, second, other], [ERP, keen, subscription('all')])
  expect(deliveries.map(({ eventId, subscription: name }) => `${eventId} ${name}`)).toEqual([
    'evt_0 keen',
    'evt_0 all',
    'evt_1 erp',
    'evt_1 keen',
    'evt_1 all',
    'evt_9 keen',
    'evt_9 all',
  ])
  expect(dates).toHaveLength(4)
  expect(dates).toContainEqual({
    subscription: 'erp',
    subject: { resource: 'shipment', id: 'SHP-2' },
    date: 'arrival',
    instant: T + 8 * HOUR,
    version: 2,
  })
})

test('however events are cut into batches, the same are sent, and no drift beyond the distance stays untold', () => {
  const hours = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(hours, (values) => {
      const events = values.slice(1).map((to, index) => {
        const each = moved(values[index] ?? 0, to)
        return { ...each, id: `evt_${index}`, subject: { ...each.subject, version: index + 1 } }
      })
      const alone = sent(events)
      const together = new Set(route(events, [ERP]).deliveries.map(({ eventId }) => eventId))
      expect(events.map(({ id }) => together.has(id))).toEqual(alone)
      let last = values[0] ?? 0
      for (const [index, wasSent] of alone.entries()) {
        const now = values[index + 1] ?? 0
        expect(wasSent).toBe(Math.abs(now - last) >= 12)
        if (wasSent) last = now
      }
    }),
  )
})

test('accounts that a subscription does not hear leave no trace', () => {
  expect(route([moved(0, 5)], [{ ...ERP, accounts: ['globex'] }]).dates).toEqual([])
})

test('of the expected delivery of an order it is the distance from what was sent last, risk included', () => {
  const orders = subscription('orders', { events: ['purchase_order.*'], minShiftMs: 12 * HOUR })
  const events = [
    expected(0, 8),
    expected(8, 14),
    expected(14, 20, 'purchase_order.delivery_at_risk'),
    expected(20, 27),
    expected(27, null),
    expected(null, 30),
  ]
  expect(sent(events, orders)).toEqual([false, true, true, false, true, true])
})

test('of an order counts from the date of its delivery, too, where that was sent', () => {
  const orders = { ...ERP, events: ['purchase_order.*'] }
  const delivered = { ...expected(0, 0, 'purchase_order.delivered'), extras: { date: dateAt(20)?.['date'] ?? null } }
  expect(sent([expected(14, 20), delivered, expected(20, 27)], orders)).toEqual([false, true, false])
})
