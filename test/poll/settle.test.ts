import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, trackingOf, WATCH } from './polling.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const HOUR = 3_600_000
const SETTLE = { settleMs: 2 * HOUR, watch: { shipments: WATCH.shipments, tracking: WATCH.tracking } } as const
const LATER = '2026-12-20T10:00:00Z'

function dated(arrival: JsonObject | null, fields: JsonObject = {}): JsonObject {
  return shipment('SHP-1', {
    desired_delivery_date: '2026-12-31',
    main_tracking_dates: {
      departure_date: { date: '2026-12-01T10:00:00Z', status: 'estimated' },
      arrival_date: arrival,
    },
    ...fields,
  })
}

function estimate(day: number, status = 'estimated'): JsonObject {
  return { date: `2026-12-${day}T10:00:00Z`, status }
}

/** A shipment whose arrival is told to be on the 10th. */
async function toldThe10th(settings: Partial<ConstructorParameters<typeof Polling>[0]> = {}): Promise<Polling> {
  const polling = new Polling({ ...SETTLE, ...settings })
  polling.platform.shipments = [dated(estimate(10))]
  await polling.pass()
  return polling
}

async function read(polling: Polling, record: JsonObject): Promise<readonly ShipbellEvent[]> {
  polling.platform.shipments = [record]
  return polling.pass()
}

function fromTo(event: ShipbellEvent | undefined): unknown {
  return event?.changes?.map(({ path, from, to }) => [path, from, to])
}

function delivered(day: number): JsonObject {
  return shipment('SHP-1', {
    desired_delivery_date: '2026-12-16',
    main_tracking_dates: { delivery_date: estimate(day) },
  })
}

function tracking(date: string, status: string, more: readonly JsonObject[] = []): JsonObject {
  const arrival = { description: 'Vessel arrival', container_number: null, date, status }
  const port = { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' }
  const step = { type: 'arrival', location: null, port, events: [...more, arrival] }
  return { ...trackingOf('SHP-1'), tracking_steps: [step] }
}

async function followed(): Promise<Polling> {
  const polling = new Polling(SETTLE)
  polling.platform.shipments = [dated(null)]
  polling.platform.tracking.set('SHP-1', tracking('2026-12-10T10:00:00Z', 'estimated'))
  await polling.pass()
  return polling
}

async function show(polling: Polling, record: JsonObject): Promise<readonly ShipbellEvent[]> {
  polling.platform.tracking.set('SHP-1', record)
  return polling.pass()
}

function entryFrom(day: number, source?: string): JsonObject {
  return source === undefined ? estimate(day) : { ...estimate(day), source }
}

/** Twelve shipments, of which the first waits. */
function sourced(day: number, source?: string, first = source): JsonObject[] {
  const others = Array.from({ length: 11 }, (_, index) =>
    shipment(`SHP-${index + 2}`, { main_tracking_dates: { arrival_date: entryFrom(10, source) } }),
  )
  return [dated(entryFrom(day, first)), ...others]
}

async function absorbed(): Promise<Polling> {
  const polling = new Polling({ settleMs: 2 * HOUR, watch: { shipments: WATCH.shipments } })
  polling.platform.shipments = sourced(10)
  await polling.pass()
  polling.platform.shipments = sourced(20, 'a')
  expect(await polling.pass()).toMatchObject([{ type: 'account.schema_drift' }])
  return polling
}

describe('a changed estimate', () => {
  test('that is back in time rings nothing', async () => {
    await using polling = await toldThe10th()
    expect(await read(polling, dated(estimate(15)))).toEqual([])
    expect(await read(polling, dated(estimate(10)))).toEqual([])
    await polling.clock.advance(3 * HOUR)
    expect(await polling.pass()).toEqual([])
  })

  test('rings when it has waited for `settle`, without a read, and tells when it was seen to change', async () => {
    await using polling = await toldThe10th()
    const reported = polling.clock.now()
    await polling.clock.advance(HOUR)
    await read(polling, dated(estimate(15)))
    const seen = polling.clock.now()
    polling.platform.trouble = () => ({ kind: 'unreachable' })
    await polling.run(2 * HOUR - 120_000)
    expect(await polling.types()).not.toContain('shipment.eta_changed')
    await polling.run(240_000)
    const eta = (await polling.events()).find(({ type }) => type === 'shipment.eta_changed')
    expect(fromTo(eta)).toEqual([
      ['/main_tracking_dates/arrival_date/date', estimate(10)['date'], estimate(15)['date']],
    ])
    expect(eta?.observed?.notBefore).toBeLessThanOrEqual(reported)
    expect(eta?.observed?.notAfter).toBeLessThanOrEqual(seen)
    expect(eta?.observed?.notAfter).toBeGreaterThan(reported)
    expect(eta?.timestamp).toBe(eta?.observed?.notAfter)
  })

  test('that moves on and on rings once, from what was told to where it is', async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    await polling.clock.advance(HOUR)
    const before = polling.clock.now()
    expect(await read(polling, dated(estimate(17)))).toEqual([])
    await polling.clock.advance(HOUR)
    const [eta, ...more] = await read(polling, dated(estimate(17)))
    expect(more).toEqual([])
    expect(eta?.extras['date_change']).toMatchObject({ from: estimate(10), to: estimate(17), shift_minutes: 7 * 1440 })
    expect(eta?.observed?.notAfter).toBeGreaterThan(before)
  })

  test('rang when it was told, not when it was seen: what is asked for since then shows it', async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    await polling.clock.advance(2 * HOUR)
    const since = polling.clock.now()
    await polling.pass()
    const deliveries = await deliveriesOf(polling.store, { since, limit: 9 })
    expect(deliveries.map(({ type }) => type)).toEqual(['shipment.eta_changed'])
  })

  test('waits anew after it was told', async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    await polling.clock.advance(2 * HOUR)
    expect(await polling.pass()).toHaveLength(1)
    expect(await read(polling, dated(estimate(10)))).toEqual([])
    await polling.clock.advance(2 * HOUR)
    expect(await polling.pass()).toMatchObject([{ type: 'shipment.eta_changed', subject: { version: 2 } }])
  })

  test('that appears or goes waits too', async () => {
    await using polling = await toldThe10th()
    expect(await read(polling, dated(null))).toEqual([])
    expect(await read(polling, dated(estimate(10)))).toEqual([])
    expect(await read(polling, dated(null))).toEqual([])
    await polling.clock.advance(2 * HOUR)
    expect((await polling.pass()).map(fromTo)).toEqual([
      [
        ['/main_tracking_dates/arrival_date/date', estimate(10)['date'], null],
        ['/main_tracking_dates/arrival_date/status', 'estimated', null],
      ],
    ])
  })

  test.for(['actual', 'problem', 'no_such_status'])(
    'that became %s does not wait, nor what waited before it',
    async (status) => {
      await using polling = await toldThe10th()
      const reported = polling.clock.now()
      expect(await read(polling, dated(estimate(15)))).toEqual([])
      const [event, ...more] = await read(polling, dated(estimate(17, status)))
      expect(more).toEqual([])
      expect(event?.extras['date_change']).toMatchObject({ from: estimate(10), to: estimate(17, status) })
      expect(event?.observed?.notBefore).toBeLessThanOrEqual(reported)
    },
  )

  test('of a shipment that is cancelled does not wait', async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    const types = (await read(polling, dated(estimate(15), { status: 'cancelled' }))).map(({ type }) => type)
    expect(types).toEqual(['shipment.status_changed', 'shipment.eta_changed'])
  })

  test('leaves the rest of the difference to ring at once, each leaf once', async () => {
    await using polling = await toldThe10th()
    const [renamed, ...more] = await read(polling, dated(estimate(15), { name: 'Renamed' }))
    expect(more).toEqual([])
    expect(fromTo(renamed)).toEqual([['/name', 'Shipment SHP-1', 'Renamed']])
    await polling.clock.advance(2 * HOUR)
    const [eta, ...rest] = await polling.pass()
    expect(rest).toEqual([])
    expect(fromTo(eta)).toHaveLength(1)
    expect(eta?.subject.previousEventId).toBe(renamed?.id)
  })

  test('rings before the removal of its shipment', async () => {
    await using polling = await toldThe10th()
    polling.platform.shipments = [dated(estimate(10)), shipment('SHP-2')]
    await polling.pass()
    polling.platform.shipments = [dated(estimate(15)), shipment('SHP-2')]
    await polling.pass()
    polling.platform.shipments = [shipment('SHP-2')]
    await polling.pass()
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.eta_changed', 'shipment.removed'])
  })

  test('waits through a restart, under the same id', async () => {
    const ids: string[] = []
    for (const restarts of [false, true]) {
      await using polling = await toldThe10th()
      await read(polling, dated(estimate(15)))
      await polling.clock.advance(2 * HOUR - 60_000)
      if (restarts) await polling.restart()
      await polling.clock.advance(60_000)
      ids.push(...(await polling.pass()).map(({ id }) => id))
    }
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  test('rings at the next start where `settle` was taken away', async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    await polling.restart({ ...SETTLE, settleMs: 0 })
    await polling.run(1_000)
    expect(await polling.types()).toContain('shipment.eta_changed')
  })

  test('does not wait for ever when the clock is set back', { tags: 'long' }, async () => {
    await using polling = await toldThe10th()
    await read(polling, dated(estimate(15)))
    polling.clock.jump(polling.clock.now() - 48 * HOUR)
    await polling.restart()
    await polling.run(1_000)
    expect(await polling.types()).toContain('shipment.eta_changed')
  })
})

test('a delivery estimate that waits puts nothing at risk until it is told', async () => {
  await using polling = new Polling(SETTLE)
  polling.platform.shipments = [delivered(15)]
  await polling.pass()
  expect(await read(polling, delivered(18))).toEqual([])
  expect(await read(polling, delivered(15))).toEqual([])
  expect(await read(polling, delivered(18))).toEqual([])
  await polling.clock.advance(2 * HOUR)
  expect((await polling.pass()).map(({ type }) => type)).toEqual([
    'shipment.delivery_date_changed',
    'shipment.delivery_at_risk',
  ])
})

describe('a tracking event', () => {
  test('whose estimated date moves waits, and rings nothing when it is back', async () => {
    await using polling = await followed()
    expect(await show(polling, tracking(LATER, 'estimated'))).toEqual([])
    expect(await show(polling, tracking('2026-12-10T11:00:00+01:00', 'estimated'))).toEqual([])
    expect(await show(polling, tracking(LATER, 'planned'))).toEqual([])
    await polling.clock.advance(2 * HOUR)
    expect((await polling.pass()).map(({ type, extras }) => [type, extras['previous_event'], extras['event']])).toEqual(
      [
        [
          'tracking.event_updated',
          expect.objectContaining({ date: '2026-12-10T11:00:00+01:00' }),
          expect.objectContaining({ date: LATER, status: 'planned' }),
        ],
      ],
    )
  })

  test('that became actual, came or went does not wait', async () => {
    await using polling = await followed()
    await show(polling, tracking(LATER, 'estimated'))
    const gateIn = { description: 'Gate in', container_number: null, date: LATER, status: 'estimated' }
    const came = await show(polling, tracking(LATER, 'estimated', [gateIn]))
    expect(came.map(({ type }) => type)).toEqual(['tracking.event_added'])
    const actual = await show(polling, tracking(LATER, 'actual', [gateIn]))
    expect(actual.map(({ type, changes }) => [type, changes?.length])).toEqual([['tracking.event_actualised', 2]])
    expect((await show(polling, tracking(LATER, 'actual'))).map(({ type }) => type)).toEqual([
      'tracking.event_retracted',
    ])
  })
})

describe('what waits', () => {
  test('rings where the clock is set back while the process goes on: it began to wait at an instant that lies ahead', async () => {
    await using polling = await toldThe10th()
    polling.platform.shipments = [dated(estimate(15))]
    await polling.clock.advance(HOUR)
    const { signal } = new AbortController()
    await polling.poller.once(signal)
    expect(await polling.types()).not.toContain('shipment.eta_changed')
    polling.platform.trouble = () => ({ kind: 'rejected' })
    polling.clock.jump(polling.clock.now() - 48 * HOUR)
    await polling.poller.once(signal)
    expect(await polling.types()).toContain('shipment.eta_changed')
  })

  test('keeps to when a tracking was last shown, though it rings while the platform shows none', async () => {
    await using polling = await followed()
    await show(polling, tracking('2026-12-15T10:00:00Z', 'estimated'))
    const shownAt = polling.clock.now()
    polling.platform.tracking.delete('SHP-1')
    await polling.pass()
    await polling.clock.advance(3 * HOUR)
    expect(await polling.pass()).toMatchObject([{ type: 'tracking.event_updated' }])
    await polling.clock.advance(3 * HOUR)
    await polling.pass()
    const [actual] = await show(polling, tracking('2026-12-15T10:00:00Z', 'actual'))
    expect(actual?.type).toBe('tracking.event_actualised')
    expect(actual?.observed?.notBefore).toBeLessThanOrEqual(shownAt)
  })

  test('does not in the tracking of a cancelled shipment', async () => {
    await using polling = new Polling(SETTLE)
    polling.platform.shipments = [dated(null, { status: 'cancelled' })]
    polling.platform.tracking.set('SHP-1', tracking('2026-12-10T10:00:00Z', 'estimated'))
    await polling.pass()
    const events = await show(polling, tracking('2026-12-15T10:00:00Z', 'estimated'))
    expect(events).toMatchObject([{ type: 'tracking.event_updated' }])
  })
})

describe('a field that is absorbed while an estimate waits', () => {
  test('changes like any other field after its first value', async () => {
    await using polling = await absorbed()
    polling.platform.shipments = sourced(20, 'a', 'b')
    await polling.pass()
    await polling.clock.advance(2 * HOUR)
    const [eta, ...more] = await polling.pass()
    expect(more).toEqual([])
    expect(fromTo(eta)).toEqual([
      ['/main_tracking_dates/arrival_date/source', 'a', 'b'],
      ['/main_tracking_dates/arrival_date/date', estimate(10)['date'], estimate(20)['date']],
    ])
  })

  test('keeps its first value silent where the record is removed', async () => {
    await using polling = await absorbed()
    polling.platform.shipments = sourced(20, 'a').slice(1)
    await polling.pass()
    const [eta, ...more] = await polling.pass()
    expect(more).toMatchObject([{ type: 'shipment.removed' }])
    expect(fromTo(eta)).toEqual([
      ['/main_tracking_dates/arrival_date/date', estimate(10)['date'], estimate(20)['date']],
    ])
  })
})

describe('the tracking of a removed shipment', () => {
  const others = [shipment('SHP-2'), shipment('SHP-3')]

  test('rings nothing of what waited, until the shipment is back', async () => {
    await using polling = await followed()
    polling.platform.shipments = [dated(null), ...others]
    await show(polling, tracking('2026-12-15T10:00:00Z', 'estimated'))
    polling.platform.shipments = others
    await polling.pass()
    expect(await polling.pass()).toMatchObject([{ type: 'shipment.removed' }])
    await polling.clock.advance(3 * HOUR)
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.settling.due('acme', { most: 1 })).toEqual([])
    polling.platform.shipments = [dated(null), ...others]
    const types = [...(await polling.pass()), ...(await polling.pass())].map(({ type }) => type)
    expect(types).toEqual(['shipment.restored', 'tracking.event_updated'])
  })
})

describe('the calendar of a shipment whose dates wait', () => {
  const soon = { date: '2026-11-20T10:00:00Z', status: 'estimated' }

  test('calls no date overdue that nobody was told, nor the one that was', async () => {
    await using polling = await toldThe10th({ watch: { shipments: { ...WATCH.shipments, milestoneGraceMs: 0 } } })
    expect(await read(polling, dated(soon))).toEqual([])
    await polling.clock.advance(HOUR)
    expect(await polling.pass()).toEqual([])
    expect(await read(polling, dated(estimate(10)))).toEqual([])
    await polling.clock.advance(3 * HOUR)
    expect(await polling.pass()).toEqual([])
  })

  test('calls it overdue once it was told', async () => {
    await using polling = await toldThe10th({ watch: { shipments: { ...WATCH.shipments, milestoneGraceMs: 0 } } })
    await read(polling, dated(soon))
    await polling.clock.advance(2 * HOUR)
    const types = [...(await polling.pass()), ...(await polling.pass())].map(({ type }) => type)
    expect(types).toEqual(['shipment.eta_changed', 'shipment.milestone_overdue'])
  })

  test('tells a delivery at risk with the estimate that settles at the removal', async () => {
    await using polling = new Polling(SETTLE)
    const others = [shipment('SHP-2'), shipment('SHP-3')]
    polling.platform.shipments = [delivered(15), ...others]
    await polling.pass()
    polling.platform.shipments = [delivered(18), ...others]
    await polling.pass()
    polling.platform.shipments = others
    const types = [...(await polling.pass()), ...(await polling.pass())].map(({ type }) => type)
    expect(types).toEqual(['shipment.delivery_date_changed', 'shipment.delivery_at_risk', 'shipment.removed'])
  })
})

function twice(first: readonly [string, string], second: readonly [string, string]): JsonObject {
  const events = [first, second].map(([date, status]) => ({
    description: 'Call',
    container_number: null,
    date,
    status,
  }))
  const port = { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' }
  return { ...trackingOf('SHP-1'), tracking_steps: [{ type: 'call', location: null, port, events }] }
}

test('two tracking events of one identity, date and status wait each for itself', async () => {
  const reported = ['2026-12-10T10:00:00Z', 'estimated'] as const
  await using polling = new Polling(SETTLE)
  polling.platform.shipments = [dated(null)]
  polling.platform.tracking.set('SHP-1', twice(reported, reported))
  await polling.pass()
  const events = await show(polling, twice(['2026-12-09T10:00:00Z', 'actual'], ['2026-12-15T10:00:00Z', 'estimated']))
  expect(events).toMatchObject([{ type: 'tracking.event_actualised' }])
  const actual = ['2026-12-09T10:00:00Z', 'actual'] as const
  expect(await show(polling, twice(actual, reported))).toEqual([])
  await polling.clock.advance(3 * HOUR)
  expect(await polling.pass()).toEqual([])
})
