import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { baseline, detect } from './reads.ts'

const FORTY = 'forty_foot_reefer'
const KEPT = { container_number: 'MSCU3', container_type: FORTY, seal_number: '2' }
const WERE = [
  { container_type: FORTY, seal_number: '7' },
  { container_type: 'twenty_foot_reefer', seal_number: '6' },
  KEPT,
]
const ARE = [
  { container_number: '77', container_type: FORTY, seal_number: '5' },
  { container_number: 'MSCU3', container_type: FORTY, seal_number: '6' },
  KEPT,
  { container_number: 'MSCU3', seal_number: '2' },
]

function idsOf(were: readonly JsonObject[], are: readonly JsonObject[]): readonly string[] {
  const before = baseline('shipment', { cargo: { containers: were } })
  return detect({ resource: 'shipment', before, after: { cargo: { containers: are } } }).events.map(({ id }) => id)
}

function step(...events: readonly JsonObject[]): JsonObject {
  return { type: 'departure', port: { unlocode: 'CNSHA' }, events }
}

const LOADED = { description: 'Loaded', date: '2026-05-01T08:00:00Z' }
const ALPHA = { location: { name: 'alpha' } }
const BETA = { location: { name: 'beta' } }

function idsOfSteps(were: readonly JsonObject[], are: readonly JsonObject[]): readonly string[] {
  const before = baseline('tracking', { tracking_steps: were })
  return detect({ resource: 'tracking', before, after: { tracking_steps: are } }).events.map(({ id }) => id)
}

function line(reference: string | number, ordered_quantity: number): JsonObject {
  return { reference, ordered_quantity }
}

/** What each changed reference of a shipment was and is. */
function changedReferences(were: readonly Json[], are: readonly Json[]): readonly (readonly Json[])[] {
  const before = baseline('shipment', { purchase_order_references: were })
  const { events } = detect({ resource: 'shipment', before, after: { purchase_order_references: are } })
  return events.flatMap((event) => event.changes?.map(({ from, to }) => [from, to]) ?? [])
}

/** Types of the events, each with the number of its changes. */
function rungBySteps(were: readonly JsonObject[], are: readonly JsonObject[]): readonly string[] {
  const before = baseline('tracking', { tracking_steps: were })
  const { events } = detect({ resource: 'tracking', before, after: { tracking_steps: are } })
  return events.map(({ type, changes }) => `${type} ${changes?.length}`)
}

describe('the order of arrays', () => {
  it('does not decide which containers got their numbers', () => {
    expect(idsOf([KEPT, ...WERE.slice(0, 2)], ARE)).toEqual(idsOf(WERE, ARE))
    expect(idsOf(WERE, ARE.toReversed())).toEqual(idsOf(WERE, ARE))
    expect(idsOf(WERE.toReversed(), ARE.toReversed())).toEqual(idsOf(WERE, ARE))
  })

  it('does not decide which of two alike steps is the new one', () => {
    const loaded = { description: 'Loaded', date: '2026-05-01T08:00:00Z' }
    expect(rungBySteps([step()], [step(), step(loaded)])).toEqual(['tracking.event_added 4'])
    expect(rungBySteps([step()], [step(loaded), step()])).toEqual(['tracking.event_added 4'])
    expect(rungBySteps([step(loaded)], [step(loaded), step()])).toEqual(['tracking.updated 2'])
    expect(rungBySteps([step(loaded)], [step(), step(loaded)])).toEqual(['tracking.updated 2'])
  })

  it('does not decide which of two equal events of new steps rings first', () => {
    const gateIn = { description: 'Gate in', date: '2026-05-01T07:00:00Z' }
    const are = [
      { ...step(LOADED), ...ALPHA },
      { ...step(gateIn, LOADED), ...BETA },
    ]
    expect(idsOfSteps([], are.toReversed())).toEqual(idsOfSteps([], are))
    const alike = [step(LOADED), step(gateIn, LOADED)]
    expect(idsOfSteps([], alike.toReversed())).toEqual(idsOfSteps([], alike))
    expect(idsOfSteps(are.toReversed(), [])).toEqual(idsOfSteps(are, []))
  })

  it('does not decide which of two equal events is the new one: the one in the new step, which it tells', () => {
    const kept = { ...step(LOADED), ...ALPHA }
    const added = { ...step(LOADED), ...BETA }
    for (const are of [
      [kept, added],
      [added, kept],
    ]) {
      expect(rungBySteps([kept], are)).toEqual(['tracking.event_added 5'])
      expect(rungBySteps(are, [kept])).toEqual(['tracking.event_retracted 5'])
      expect(idsOfSteps([kept], are)).toEqual(idsOfSteps([kept], [kept, added]))
    }
  })

  it('of the events of a new step does not decide that its first one tells it, be they equal', () => {
    expect(rungBySteps([], [step(LOADED, LOADED)])).toEqual(['tracking.event_added 4', 'tracking.event_added 2'])
  })

  it('does not make a change of identifiers that differ in leading zeros only', () => {
    expect(changedReferences(['007', '7', '07'], ['07', '007', '7'])).toEqual([])
    expect(changedReferences(['007', '7'], [7, '007'])).toEqual([])
    expect(changedReferences(['7', '8'], ['007', '8', '7'])).toEqual([[null, '007']])
    expect(changedReferences(['7'], ['007'])).toEqual([['7', '007']])
    expect(
      idsOf([{ seal_number: '007' }, { seal_number: '7' }], [{ seal_number: '7' }, { seal_number: '007' }]),
    ).toEqual([])
  })

  it('and identifiers that differ in leading zeros only do not make two elements one', () => {
    const before = baseline('purchase_order', { purchase_order_lines: [line('007', 1), line('7', 2)] })
    const after = { purchase_order_lines: [line('007', 2), line('7', 1)] }
    const { events } = detect({ resource: 'purchase_order', before, after })
    expect(events.flatMap(({ changes }) => changes?.map(({ path, from, to }) => [path, from, to]))).toEqual([
      ['/purchase_order_lines/0/ordered_quantity', 1, 2],
      ['/purchase_order_lines/1/ordered_quantity', 2, 1],
    ])
    const rendered = { purchase_order_lines: [line(7, 1)] }
    const one = baseline('purchase_order', { purchase_order_lines: [line('007', 1)] })
    expect(detect({ resource: 'purchase_order', before: one, after: rendered }).events).toEqual([])
  })
})
