import { describe, expect, it } from 'vitest'
import { detectChange } from '../../src/detect/detect-change.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { baseline, detect, readAt, series } from './reads.ts'

const SHIPMENT = { platform_shipment_id: 'SHP-1', name: 'Spring stock', status: 'booked' }

function arrival(date: string | null, status: string): JsonObject {
  return { ...SHIPMENT, main_tracking_dates: { arrival_date: { date, status } } }
}

describe('the chain of events', () => {
  it('numbers the events of a subject from 1 and links each to the one before', () => {
    const results = series('shipment', [
      SHIPMENT,
      { ...SHIPMENT, status: 'in_progress', name: 'Autumn stock' },
      { ...SHIPMENT, status: 'finished', name: 'Autumn stock' },
    ])
    const subjects = results.flatMap(({ events }) => events.map((event) => event.subject))
    const ids = results.flatMap(({ events }) => events.map((event) => event.id))
    expect(subjects.map(({ version }) => version)).toEqual([1, 2, 3])
    expect(subjects.map(({ previousEventId }) => previousEventId)).toEqual([null, ids[0], ids[1]])
    expect(results.at(-1)?.state).toMatchObject({ version: 3, lastEventId: ids[2] })
  })

  it('says between which reads a change happened', () => {
    const before = baseline('shipment', SHIPMENT)
    const [event] = detect({ resource: 'shipment', before, after: { ...SHIPMENT, name: 'X' }, day: 3 }).events
    expect(event?.observed).toEqual({ notBefore: readAt(0).sentAt, notAfter: readAt(3).answeredAt })
    expect(event?.timestamp).toBe(readAt(3).answeredAt)
  })

  it('says since when a new record may have existed', () => {
    const input = {
      account: 'acme',
      resource: 'shipment',
      id: 'SHP-1',
      before: null,
      ignore: [],
      shipment: null,
    } as const
    const { events, state } = detectChange({ ...input, after: SHIPMENT, read: readAt(2), mode: 'ring', absentAt: 77 })
    expect(events[0]).toMatchObject({
      observed: { notBefore: 77, notAfter: readAt(2).answeredAt },
      before: null,
      changes: null,
    })
    expect(state).toMatchObject({ version: 1, atBaseline: false, firstSeenAt: readAt(2).answeredAt })
  })

  it('carries the record as sent, the record as it was, and the summary of the shipment', () => {
    const after = { ...SHIPMENT, name: 'X' }
    const [event] = detect({ resource: 'shipment', before: baseline('shipment', SHIPMENT), after }).events
    expect(event).toMatchObject({
      object: after,
      before: SHIPMENT,
      shipment: { id: 'SHP-1', name: 'X', status: 'booked' },
    })
  })

  it('gives ids of letters and digits only', () => {
    const { events } = detect({ resource: 'shipment', after: SHIPMENT })
    expect(events[0]?.id).toMatch(/^evt_[A-Za-z0-9]{22,}$/)
  })

  it('gives the same id to the same change of the same version only', () => {
    const before = baseline('shipment', SHIPMENT)
    const idOf = (after: JsonObject, version = 0): string | undefined =>
      detect({ resource: 'shipment', before: { ...before, version }, after }).events[0]?.id
    const ids = [
      idOf({ ...SHIPMENT, name: 'X' }),
      idOf({ ...SHIPMENT, name: 'Y' }),
      idOf({ ...SHIPMENT, name: 'X' }, 1),
    ]
    expect(new Set(ids).size).toBe(3)
    expect(idOf({ status: 'booked', name: 'X', platform_shipment_id: 'SHP-1' })).toBe(ids[0])
  })
})

describe('reads', () => {
  it('moves on to the new rendering when nothing changed', () => {
    const before = baseline('shipment', { ...SHIPMENT, zip_code: '75001' })
    const after = { ...SHIPMENT, zip_code: 75001 }
    const { events, state } = detect({ resource: 'shipment', before, after, day: 4 })
    expect(events).toEqual([])
    expect(state).toEqual({ ...before, seen: after, reported: after, lastRead: readAt(4) })
  })

  it('ignores an answer to a request sent before the last answer had arrived', () => {
    const before = { ...baseline('shipment', SHIPMENT), lastRead: { sentAt: 1_000, answeredAt: 5_000 } }
    const late = { sentAt: 4_999, answeredAt: 9_000 }
    const input = {
      account: 'acme',
      resource: 'shipment',
      id: 'SHP-1',
      before,
      absentAt: null,
      ignore: [],
      shipment: null,
    } as const
    const result = detectChange({ ...input, after: { ...SHIPMENT, status: 'draft' }, read: late, mode: 'ring' })
    expect(result).toEqual({ state: before, events: [] })
    const next = { sentAt: 5_000, answeredAt: 9_000 }
    expect(
      detectChange({ ...input, after: { ...SHIPMENT, status: 'draft' }, read: next, mode: 'ring' }).events,
    ).toHaveLength(1)
  })

  it('applies an answer though the last one applied seems to come from the future', () => {
    const before = { ...baseline('shipment', SHIPMENT), lastRead: { sentAt: 90_000, answeredAt: 91_000 } }
    const input = {
      account: 'acme',
      resource: 'shipment',
      id: 'SHP-1',
      before,
      absentAt: null,
      ignore: [],
      shipment: null,
    } as const
    const read = { sentAt: 1_000, answeredAt: 2_000 }
    expect(detectChange({ ...input, after: { ...SHIPMENT, status: 'draft' }, read, mode: 'ring' }).events).toHaveLength(
      1,
    )
  })

  it('keeps what it knows of a tracking that is not found any more', () => {
    const tracking = { platform_shipment_id: 'SHP-1', status: 'in_transit', tracking_steps: [] }
    const before = baseline('tracking', tracking)
    const { events, state } = detect({ resource: 'tracking', before, after: null, day: 5 })
    expect(events).toEqual([])
    expect(state).toEqual({ ...before, lastRead: readAt(5), memory: { lastShown: before.lastRead } })
    const shown = detect({ resource: 'tracking', before: state, after: tracking, day: 6 })
    expect(shown.events).toEqual([])
    expect(shown.state.memory).toEqual({})
    const moved = detect({ resource: 'tracking', before: state, after: { ...tracking, status: 'arrived' }, day: 7 })
    expect(moved.events[0]?.observed?.notBefore).toBe(before.lastRead.sentAt)
  })

  it('remembers a tracking that was never found', () => {
    const { state } = detect({ resource: 'tracking', after: null, day: 1 })
    expect(state).toMatchObject({ seen: null, reported: null, version: 0, atBaseline: false })
  })
})

describe('the baseline', () => {
  it('marks records learnt before it', () => {
    expect(baseline('shipment', SHIPMENT)).toMatchObject({ atBaseline: true, version: 0, lastEventId: null })
  })

  it('leaves the version alone when a change is learnt silently', () => {
    const before = baseline('shipment', SHIPMENT)
    const { state } = detect({ resource: 'shipment', before, after: { ...SHIPMENT, name: 'X' }, mode: 'silent' })
    expect(state).toMatchObject({ version: 0, lastEventId: null, reported: { name: 'X' } })
  })
})

describe('closing', () => {
  it('remembers the read that first showed a shipment finished or cancelled, until it is reopened', () => {
    const statuses = ['booked', 'finished', 'cancelled', 'in_progress', 'cancelled']
    const results = series(
      'shipment',
      statuses.map((status) => ({ ...SHIPMENT, status })),
    )
    const closed = results.map(({ state }) => state.closedAt)
    expect(closed).toEqual([null, readAt(1).answeredAt, readAt(1).answeredAt, null, readAt(4).answeredAt])
  })
})

describe('milestones', () => {
  const DATES = ['2026-05-01T08:00:00Z', '2026-05-02T08:00:00Z', '2026-05-01T10:00:00+02:00'] as const

  it('counts distinct instants, and remembers the first', () => {
    const { state } =
      series(
        'shipment',
        DATES.map((date) => arrival(date, 'estimated')),
      )[2] ?? {}
    expect(state?.memory.milestones?.arrival).toEqual({
      first: { date: DATES[0], seenAt: readAt(0).answeredAt },
      instants: DATES.slice(0, 2).map((date) => Date.parse(date)),
      actualEventId: null,
    })
  })

  it('names the event that a correction corrects', () => {
    const results = series('shipment', [
      arrival(DATES[0], 'estimated'),
      arrival(DATES[0], 'actual'),
      arrival(DATES[1], 'actual'),
      arrival(DATES[1], 'estimated'),
    ])
    const [arrived, moved, takenBack] = results.flatMap(({ events }) => events)
    expect(moved).toMatchObject({ type: 'shipment.milestone_corrected', extras: { corrects: arrived?.id } })
    expect(takenBack).toMatchObject({ type: 'shipment.milestone_corrected', extras: { corrects: moved?.id } })
  })

  it('names the creation that told an actual', () => {
    const created = detect({ resource: 'shipment', after: arrival(DATES[0], 'actual') })
    const { events } = detect({
      resource: 'shipment',
      before: created.state,
      after: arrival(DATES[1], 'planned'),
      day: 2,
    })
    expect(events[0]?.extras).toMatchObject({ corrects: created.events[0]?.id })
  })

  it('names no event for an actual that was learnt silently after another had rung', () => {
    const results = series('shipment', [
      arrival(DATES[0], 'estimated'),
      arrival(DATES[0], 'actual'),
      arrival(DATES[1], 'estimated'),
    ])
    const silent = detect({
      resource: 'shipment',
      before: results[2]?.state ?? null,
      after: arrival(DATES[0], 'actual'),
      day: 5,
      mode: 'silent',
    })
    const { events } = detect({
      resource: 'shipment',
      before: silent.state,
      after: arrival(DATES[1], 'estimated'),
      day: 6,
    })
    expect(events[0]?.extras).toMatchObject({ corrects: null })
  })

  it('carries a date that cannot be read without failing', () => {
    const { events } = detect({
      resource: 'shipment',
      before: baseline('shipment', arrival('2026-02-30T00:00:00Z', 'estimated')),
      after: arrival('soon', 'estimated'),
    })
    expect(events.map(({ type }) => type)).toEqual(['shipment.eta_changed'])
    expect(events[0]?.extras).toMatchObject({
      date_change: { shift_minutes: null, direction: 'none', first: null, drift_minutes: null, revision: 1 },
    })
  })
})

describe('invoice.due', () => {
  it('stays silent where the due day itself has rung', () => {
    const invoice = { reference: 'SHP-1', type: 'invoice', status: 'available', due_date: '2026-06-01' }
    const before = { ...baseline('invoice', invoice), memory: { rung: ['due/2026-06-01/date'] } }
    const { events } = detect({ resource: 'invoice', before, after: { ...invoice, status: 'due' } })
    expect(events.map(({ type }) => type)).toEqual(['invoice.status_changed'])
  })

  it('is observed by no read and shows no changes', () => {
    const invoice = { reference: 'SHP-1', type: 'invoice', status: 'available', due_date: '2026-06-01' }
    const { events, state } = detect({
      resource: 'invoice',
      before: baseline('invoice', invoice),
      after: { ...invoice, status: 'due' },
    })
    expect(events[1]).toMatchObject({
      type: 'invoice.due',
      observed: null,
      changes: null,
      before: null,
      cause: 'change',
    })
    expect(events[1]?.subject).toMatchObject({ version: 2, previousEventId: events[0]?.id })
    expect(state.memory.rung).toEqual(['due/2026-06-01/status'])
  })
})
