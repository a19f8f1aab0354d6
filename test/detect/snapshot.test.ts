import { expect, test } from 'vitest'
import { snapshotOf, type SnapshotInput } from '../../src/detect/snapshot.ts'
import { sampleState, T } from '../store/samples.ts'

const RECORD = { name: 'Sofas' }
const STATE = { ...sampleState('A'), seen: { name: 'Chairs' }, reported: RECORD, version: 7, lastEventId: 'evt_7' }

function input(parts: Partial<SnapshotInput> = {}): SnapshotInput {
  const of = { subscription: 'erp', run: 'r1' }
  const about = { account: 'acme', resource: 'shipment', state: STATE, shipment: null } as const
  return { of, ...about, timeZone: 'UTC', publicUrl: null, at: T, ...parts }
}

test('a snapshot shows the record as events have reported it, under the version of now', () => {
  expect(snapshotOf(input())).toMatchObject({
    type: 'shipment.snapshot',
    cause: 'snapshot',
    subject: { resource: 'shipment', id: 'A', version: 7, previousEventId: 'evt_7' },
    observed: null,
    object: RECORD,
    changes: null,
    shipment: { id: 'A', name: 'Sofas' },
  })
})

test('what never rang has version 0, and what is removed or unread is not shown', () => {
  const silent = { ...STATE, version: 0, lastEventId: null }
  expect(snapshotOf(input({ state: silent }))?.subject).toMatchObject({ version: 0, previousEventId: null })
  expect(snapshotOf(input({ state: { ...STATE, removedAt: T } }))).toBeNull()
  expect(snapshotOf(input({ state: { ...STATE, reported: null } }))).toBeNull()
})

test('its id is made of subscription, run, subject and version, and of no time', () => {
  const ids = [
    input(),
    input({ at: T + 1 }),
    input({ of: { subscription: 'erp', run: 'r2' } }),
    input({ of: { subscription: 'crm', run: 'r1' } }),
    input({ account: 'other' }),
    input({ state: { ...STATE, version: 8 } }),
  ].map((each) => snapshotOf(each)?.id)
  expect(ids[1]).toBe(ids[0])
  expect(new Set(ids).size).toBe(5)
})

test.for([
  ['invoice', { type: 'credit_note' }, 'credit_note.snapshot'],
  ['invoice', { type: 'invoice' }, 'invoice.snapshot'],
  ['tracking', {}, 'tracking.snapshot'],
  ['order_preparation', {}, 'order_preparation.snapshot'],
] as const)('of %s %j it is %s', ([resource, reported, type]) => {
  expect(snapshotOf(input({ resource, state: { ...STATE, reported } }))?.type).toBe(type)
})
