import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import type { Detected } from '../../src/detect/detect-input.ts'
import { detectRemoval, type RemovalInput } from '../../src/detect/removal.ts'
import { detect, readAt } from './reads.ts'

const KINDS = [
  ['shipment', 'shipment', { platform_shipment_id: 'X', status: 'booked' }],
  ['invoice', 'invoice', { reference: 'X', type: 'invoice', status: 'new' }],
  ['credit_note', 'invoice', { reference: 'X', type: 'credit_note', status: 'new' }],
  ['document', 'document', { id: 'X', name: 'a.pdf' }],
  ['purchase_order', 'purchase_order', { po_number: 'X' }],
  ['location', 'location', { id: 'X', city: 'Lyon' }],
  ['order_preparation', 'order_preparation', { name: 'X' }],
] as const

function known(resource: RecordResource, record: JsonObject): RecordState {
  return detect({ resource, after: record, id: 'X', mode: 'silent' }).state
}

function remove(before: RecordState, changes: Partial<RemovalInput> = {}): Detected {
  return detectRemoval({
    account: 'acme',
    resource: 'shipment',
    before,
    read: readAt(3),
    mode: 'ring',
    shipment: null,
    ignore: [],
    absorbed: [],
    ...changes,
  })
}

function actual(date: string): JsonObject {
  return { platform_shipment_id: 'X', main_tracking_dates: { departure_date: { date, status: 'actual' } } }
}

describe.for(KINDS)('%s', ([kind, resource, record]) => {
  test('is removed as it was last seen, once, and restored in the same chain', () => {
    const before = known(resource, record)
    const { state, events } = remove(before, { resource })
    expect(events).toMatchObject([
      { type: `${kind}.removed`, object: record, before: null, changes: null, subject: { id: 'X', version: 1 } },
    ])
    expect(events[0]?.observed).toEqual({ notBefore: readAt(1).sentAt, notAfter: readAt(3).answeredAt })
    expect(state).toMatchObject({ removedAt: readAt(3).answeredAt, seen: record, version: 1, nextEdgeAt: null })
    expect(remove(state, { resource, read: readAt(4) })).toEqual({ state, events: [] })

    const back = detect({ resource, before: state, after: { ...record, extra: 'new' }, id: 'X', day: 5 })
    expect(back.events).toMatchObject([
      {
        type: `${kind}.restored`,
        object: { ...record, extra: 'new' },
        changes: null,
        subject: { version: 2, previousEventId: events[0]?.id },
      },
    ])
    expect(back.state).toMatchObject({ removedAt: null, reported: { ...record, extra: 'new' } })
    expect(
      detect({ resource, before: back.state, after: { ...record, extra: 'new' }, id: 'X', day: 6 }).events,
    ).toEqual([])
  })
})

describe('a removal', () => {
  const before = known('shipment', { platform_shipment_id: 'X', status: 'booked' })

  test('proved before the record was last read teaches nothing', () => {
    expect(remove(before, { read: readAt(1) })).toEqual({ state: before, events: [] })
  })

  test('in silence leaves a tombstone and rings nothing', () => {
    const { state, events } = remove(before, { mode: 'silent' })
    expect(events).toEqual([])
    expect(state).toMatchObject({ removedAt: readAt(3).answeredAt, version: 0 })
  })

  test('of a record that never showed anything rings nothing', () => {
    expect(remove({ ...before, seen: null, reported: null })).toMatchObject({
      state: { removedAt: readAt(3).answeredAt },
      events: [],
    })
  })

  test('repeated after a crash gives the same id', () => {
    expect(remove(before, { read: readAt(9) }).events[0]?.id).toBe(remove(before).events[0]?.id)
  })

  test('is undone in silence during a baseline', () => {
    const { state } = remove(before)
    const back = detect({
      resource: 'shipment',
      before: state,
      after: { status: 'booked' },
      id: 'X',
      day: 5,
      mode: 'silent',
    })
    expect(back).toMatchObject({ events: [], state: { removedAt: null } })
  })

  test('an actual date learnt from the restored event is corrected by its id', () => {
    const { state } = remove(before)
    const back = detect({ resource: 'shipment', before: state, after: actual('2026-11-20T10:00:00Z'), id: 'X', day: 5 })
    const moved = detect({
      resource: 'shipment',
      before: back.state,
      after: actual('2026-11-20T12:00:00Z'),
      id: 'X',
      day: 6,
    })
    expect(moved.events).toMatchObject([
      { type: 'shipment.milestone_corrected', extras: { corrects: back.events[0]?.id } },
    ])
  })
})
