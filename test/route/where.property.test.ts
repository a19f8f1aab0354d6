import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE, type EventType } from '../../src/model/event-catalogue.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { LoggedEvent, ShipbellEvent } from '../../src/model/event.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { filterFailures } from '../../src/route/filter-failures.ts'
import { LogWalk } from '../../src/route/log-walk.ts'
import { route, routingQuery } from '../../src/route/route.ts'
import { subscription } from '../support/subscription.ts'
import { event, filter, HOUR, T } from './samples.ts'
import { runs } from '../support/runs.ts'

const departed = event('evt_1', 'shipment.departed', { extras: { days_left: 2 }, object: { note: null } })

function estimated(hours: number): JsonObject {
  return { date: new Date(T + hours * HOUR).toISOString(), status: 'estimated' }
}

function ids(events: readonly ShipbellEvent[]): readonly string[] {
  return events.map(({ id }) => id)
}

function wanted(...[by, events]: readonly [Subscription, readonly LoggedEvent[]]): readonly LoggedEvent[] {
  return [...new LogWalk(by).wanted(events)]
}

function parsed(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

describe('where', () => {
  it('sends what it matches and leaves out what it does not', () => {
    const subscriptions = [
      subscription('match', { filter: filter('data.days_left < 3') }),
      subscription('other', { filter: filter('data.days_left > 3') }),
      subscription('missing', { filter: filter('data.nothing > 3') }),
      subscription('all'),
    ]
    const { deliveries, failures } = route([departed], subscriptions)
    expect(deliveries.map(({ subscription: name }) => name)).toEqual(['match', 'all'])
    expect(failures).toEqual([])
  })

  it('delivers what it cannot judge, and says so', () => {
    const failing = subscription('erp', { filter: filter('data.object.note > 3') })
    const { deliveries, failures } = route([departed], [failing])
    expect(deliveries).toEqual([{ eventId: 'evt_1', subscription: 'erp' }])
    const reason = 'no such overload: dyn<null> > int'
    expect(failures).toEqual([{ subscription: 'erp', expression: 'data.object.note > 3', event: departed, reason }])
  })

  it('sees the place in the sequence that the event is about to get', () => {
    const events = [departed, { ...departed, id: 'evt_2' }, { ...departed, id: 'evt_3' }]
    const second = subscription('erp', { filter: filter('sequence == 42') })
    const { deliveries } = route(events, [second], { lastSequence: 40, dates: [] })
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['evt_2'])
  })

  it('sees the whole payload, however large, whatever is sent of it', () => {
    const large = { ...departed, object: { text: 'x'.repeat(400_000), mode: 'ocean' } }
    expect(
      route([large], [subscription('erp', { filter: filter('data.object.mode == "ocean"') })]).deliveries,
    ).toHaveLength(1)
  })

  it('renders a payload once for all filters, and not at all where none asks', () => {
    let read = 0
    const extras = new Proxy<JsonObject>({}, { ownKeys: () => ((read += 1), []) })
    const filtered = ['a', 'b', 'c'].map((name) => subscription(name, { filter: filter('cause == "change"') }))
    route([{ ...departed, extras }], [subscription('all'), subscription('none', { events: ['invoice.*'] })])
    expect(read).toBe(0)
    expect(route([{ ...departed, extras }], filtered).deliveries).toHaveLength(3)
    expect(read).toBe(1)
  })

  it('does not keep alerts from the subscription that is alerted', () => {
    const ops = subscription('ops', { alert: true, events: ['*', 'account.*'], filter: filter('data.nothing == 1') })
    expect(route([event('evt_1', 'account.unreachable')], [ops]).deliveries).toHaveLength(1)
    expect(route([event('evt_1', 'account.baseline_completed')], [ops]).deliveries).toEqual([])
  })

  it('is not asked about dates that `min_shift` keeps back', () => {
    const date_change = {
      milestone: 'arrival',
      from: { date: '2026-12-01T00:00:00Z' },
      to: { date: '2026-12-01T01:00:00Z' },
    }
    const near = event('evt_1', 'shipment.eta_changed', { changes: [], extras: { date_change } })
    const erp = subscription('erp', { minShiftMs: 2 * HOUR, filter: filter('data.date_change > 3') })
    expect(route([near], [erp])).toMatchObject({ deliveries: [], failures: [] })
  })
})

describe('a filter that fails', () => {
  const failure = { subscription: 'erp', expression: 'a', event: departed, reason: 'no' }

  it('rings once for a subscription and its expression', () => {
    const { events, states } = filterFailures([failure, { ...failure, event: { ...departed, id: 'evt_2' } }], new Map())
    expect(events).toMatchObject([
      {
        type: 'endpoint.filter_failed',
        account: null,
        subject: { resource: 'subscription', id: 'erp', version: 1, previousEventId: null },
        timestamp: T,
        observed: null,
        extras: { where: 'a', reason: 'no', event_id: 'evt_1', event_type: 'shipment.departed' },
      },
    ])
    expect(filterFailures([failure], new Map(states.map((state) => [state.id, state])))).toEqual({
      events: [],
      states: [],
    })
  })

  it('rings again once the expression is another, and the chain goes on', () => {
    const [before] = filterFailures([failure], new Map()).states
    if (before === undefined) throw new Error('no state')
    const { events, states } = filterFailures([{ ...failure, expression: 'b' }], new Map([['erp', before]]))
    expect(events[0]?.subject).toMatchObject({ version: 2, previousEventId: before.lastEventId })
    expect(states[0]?.memory.failedFilter).toBe('b')
  })

  it('has the same event id when the same past is judged again', () => {
    const ids = [1, 2].map(() => filterFailures([failure], new Map()).events[0]?.id)
    expect(ids[0]).toBe(ids[1])
  })
})

describe('what routing asks of the past', () => {
  it('is nothing where no subscription filters or compares dates', () => {
    expect(routingQuery([departed], [subscription('erp')])).toBeNull()
    expect(routingQuery([], [subscription('erp', { minShiftMs: HOUR })])).toBeNull()
  })

  it('is the dates of subjects whose events carry dates, each once', () => {
    const created = event('evt_1', 'shipment.created', { object: {} })
    const erp = subscription('erp', { minShiftMs: HOUR })
    const query = routingQuery([created, { ...created, id: 'evt_2' }, departed], [erp, subscription('all')])
    expect(query).toEqual({ subscriptions: ['erp'], subjects: [{ resource: 'shipment', id: 'SHP-1' }] })
  })
})

describe('what a subscription would have received', () => {
  const logged: readonly LoggedEvent[] = [0, 8, 16, 24].map((hours, index) => {
    const extras = { date_change: { milestone: 'arrival', from: estimated(hours), to: estimated(hours + 8) } }
    const draft = event(`evt_${index}`, 'shipment.eta_changed', { changes: [], extras })
    return { ...draft, subject: { ...draft.subject, version: index + 1 }, sequence: index + 1, expiredAt: null }
  })

  it('is judged in the order of the log, by patterns, accounts, `where` and `min_shift`', () => {
    expect(ids(wanted(subscription('erp', { minShiftMs: 12 * HOUR }), logged))).toEqual(['evt_1', 'evt_3'])
    expect(ids(wanted(subscription('erp', { filter: filter('sequence > 2') }), logged))).toEqual(['evt_2', 'evt_3'])
    expect(ids(wanted(subscription('erp', { accounts: ['globex'] }), logged))).toEqual([])
  })

  it('counts what was sent, wanted or not', () => {
    const erp = subscription('erp', { minShiftMs: 12 * HOUR })
    expect(ids([...new LogWalk(erp).wanted(logged, ({ id }, wants) => wants || id === 'evt_0')])).toEqual(['evt_2'])
  })

  it('holds back an expired date change, of which nobody knows any more how far it went', () => {
    const expired = { ...event('evt_1', 'shipment.eta_changed'), sequence: 1, expiredAt: T }
    expect(wanted(subscription('erp', { minShiftMs: HOUR }), [expired])).toEqual([])
    expect(wanted(subscription('erp'), [expired])).toEqual([expired])
  })

  it('keeps the accounts apart', () => {
    const erp = subscription('erp', { minShiftMs: 12 * HOUR })
    const [first, second] = logged
    if (first === undefined || second === undefined) throw new Error('two events')
    expect(ids(wanted(erp, [first, { ...second, account: 'globex' }]))).toEqual([])
  })
})

describe('whatever events and records there are', () => {
  // No pattern names snapshots.
  const types = EVENT_CATALOGUE.filter(({ family }) => family !== 'snapshot').map(({ type }) => type)
  const expressions = ['data.a > 1', 'data.date_change.to.date == "x"', 'type == "shipment.created"', 'data.object.a.b']
  const json = fc.jsonValue({ maxDepth: 4 })
  const dates = fc.record({ milestone: fc.constantFrom('arrival', 'x', '__proto__'), from: json, to: json })
  const hostile = fc
    .dictionary(fc.constantFrom('date_change', 'due_date', 'from', 'to', 'a', '__proto__', 'constructor'), json)
    .chain((extras) =>
      fc.oneof(
        fc.constant(extras),
        dates.map((date_change) => ({ ...extras, date_change })),
      ),
    )

  const events = fc.array(
    fc.record({ type: fc.constantFrom<EventType>(...types), extras: hostile, object: hostile, diff: fc.boolean() }),
    { maxLength: 6 },
  )

  it('routing is total: it never throws, and a subscription gets an event once at most', () => {
    const subscriptions = [
      subscription('all', { events: ['*', 'account.*', 'endpoint.*', 'shipbell.*'] }),
      ...expressions.map((text, index) =>
        subscription(`s${index}`, { filter: filter(text), minShiftMs: index % 2 === 0 ? HOUR : null }),
      ),
    ]
    fc.assert(
      fc.property(events, (drawn) => {
        const drafts = drawn.map(({ type, extras, object, diff }, index) =>
          event(`evt_${index}`, type, { extras: parsed(extras), object: parsed(object), changes: diff ? [] : null }),
        )
        const { deliveries } = route(drafts, subscriptions)
        const keys = deliveries.map(({ eventId, subscription: name }) => `${eventId} ${name}`)
        expect(new Set(keys).size).toBe(keys.length)
        const routed = drafts.filter(({ type }) => !type.endsWith('.snapshot'))
        expect(keys.filter((key) => key.endsWith(' all'))).toHaveLength(routed.length)
        expect(route(drafts, subscriptions).deliveries).toEqual(deliveries)
      }),
      runs(50),
    )
  })
})
