import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE, eventTypeInfo, type EventType } from '../../src/model/event-catalogue.ts'
import { ruleOf } from '../../src/model/event-rule.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { sampleEvent, sampleExchange, sampleProvenance } from '../store/samples.ts'

function rule(type: EventType, extras: JsonObject = {}): string {
  return ruleOf(sampleEvent('evt_1', { type, extras }), null)
}

function moved(from: JsonObject | null, to: JsonObject | null): JsonObject {
  return { date_change: { milestone: 'arrival', from, to } }
}

function missed(changes: { readonly passes: number; readonly accepted: boolean; readonly fetched: boolean }): string {
  const { passes, accepted, fetched } = changes
  const exchanges = fetched ? [sampleExchange({ status: 404 })] : []
  const provenance = sampleProvenance({ by: 'absence', exchanges, missed: { passes, lastMetBy: 1, accepted } })
  return ruleOf(sampleEvent('evt_1', { type: 'shipment.removed', extras: {} }), provenance)
}

const ESTIMATED = { date: '2026-11-22T10:00:00Z', status: 'estimated' }
const PLANNED = { ...ESTIMATED, status: 'planned' }
const ACTUAL = { ...ESTIMATED, status: 'actual' }

describe('the rule that made an event', () => {
  test.each<[EventType, JsonObject, string]>([
    ['shipment.arrived', moved(ESTIMATED, ACTUAL), 'its status became actual (guarantee E2).'],
    ['shipment.problem_reported', moved(ESTIMATED, ACTUAL), 'its status became problem (guarantee E2).'],
    ['shipment.milestone_corrected', moved(ACTUAL, ESTIMATED), 'an actual was taken back (guarantee E2).'],
    ['shipment.milestone_corrected', moved(ACTUAL, null), 'an actual was taken back (guarantee E2).'],
    ['shipment.milestone_corrected', moved(ACTUAL, ACTUAL), "an actual's instant moved (guarantee E2)."],
    ['shipment.problem_cleared', moved(null, ESTIMATED), 'its status left problem (guarantee E2).'],
    ['shipment.eta_changed', moved(ESTIMATED, ESTIMATED), 'its date moved, and no other case of guarantee E2 applies.'],
    ['shipment.eta_changed', moved(ESTIMATED, PLANNED), 'it changed from estimated to planned'],
    ['shipment.eta_changed', moved(null, ESTIMATED), 'it appeared'],
    ['shipment.eta_changed', moved(ESTIMATED, null), 'it went'],
  ])('of a main tracking date is what became of it: %s', (type, extras, sentence) => {
    expect(rule(type, extras)).toContain(sentence)
    expect(rule(type, extras)).toContain('Main tracking date arrival: ')
  })

  test.each([
    [{ passes: 2, accepted: false, fetched: true }, '2 complete passes in a row missed it and a fetch by its id'],
    [{ passes: 3, accepted: false, fetched: false }, '3 complete passes in a row missed it, and no fetch by id has'],
    [{ passes: 1, accepted: true, fetched: true }, 'One complete pass missed it, and `shipbell holds accept` said'],
  ])('of a removal is what proves it: %j', (how, sentence) => {
    expect(missed(how)).toContain(sentence)
  })

  test('tells the two ways to become due apart, and a status that moved backwards', () => {
    expect(rule('invoice.due', { reason: 'status' })).toBe('Its status became due.')
    expect(rule('invoice.due', { reason: 'date' })).toBe('The due day of an open invoice began.')
    expect(rule('expectation.missed', { expectation: 'packing-list' })).toContain('The rule packing-list under')
    expect(rule('shipment.status_changed', { regression: true })).toBe('The status changed; it moved backwards.')
    expect(rule('shipment.status_changed', { regression: false })).toBe('The status changed.')
    expect(rule('document.restored')).toContain('what changed meanwhile rings nothing more')
  })

  test('is a sentence for every type; what has no rule of its own says when it rings', () => {
    for (const { type } of EVENT_CATALOGUE) expect(rule(type)).toMatch(/^[A-Zm].*\.$/)
    expect(rule('shipment.rolled')).toBe(eventTypeInfo('shipment.rolled')?.when)
  })
})
