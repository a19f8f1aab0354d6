import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { detect } from './reads.ts'

const DATE = '2026-05-01T10:00:00Z'
const LATER = '2026-05-03T10:00:00Z'
const SHANGHAI = { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' }

function event(fields: JsonObject = {}): JsonObject {
  return { description: 'Loaded', container_number: null, date: DATE, status: 'estimated', ...fields }
}

function step(fields: JsonObject, ...events: JsonObject[]): JsonObject {
  return { type: 'departure', port: null, location: null, ...fields, events }
}

function tracking(...steps: JsonObject[]): JsonObject {
  return { platform_shipment_id: 'SHP-1', status: 'in_transit', tracking_steps: steps }
}

/** What rings where a tracking of these steps becomes one of those, whatever the order of arrays and the offset of dates. */
function rung(before: readonly JsonObject[], after: readonly JsonObject[]): readonly EventDraft[] {
  const events = eventsOf(before, after)
  const turned = before.map(turnedRound).toReversed()
  for (const other of [after, after.map(turnedRound).toReversed()]) {
    expect(eventsOf(turned, other).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  }
  return events
}

function eventsOf(before: readonly JsonObject[], after: readonly JsonObject[]): readonly EventDraft[] {
  const known = detect({ resource: 'tracking', after: tracking(...before), mode: 'silent' })
  return detect({ resource: 'tracking', before: known.state, after: tracking(...after), day: 2 }).events
}

function turnedRound(each: JsonObject): JsonObject {
  const events: Json = each['events'] ?? null
  return isJsonArray(events) ? { ...each, events: [{}, ...events.toReversed().map(writtenOtherwise)] } : each
}

function writtenOtherwise(each: Json): Json {
  const date = field(each, 'date')
  return isJsonObject(each) && typeof date === 'string'
    ? { remark: '', ...each, date: date.replace('T10:00:00Z', 'T12:00:00+02:00') }
    : each
}

function typesOf(events: readonly EventDraft[]): readonly string[] {
  return events.map(({ type }) => type)
}

function paths(events: readonly EventDraft[]): readonly (readonly string[])[] {
  return events.map(({ changes }) => (changes ?? []).map(({ path }) => path.replaceAll(/\d+/g, 'N')).toSorted())
}

describe('what becomes known of a tracking event (guarantee D3)', () => {
  test('is an update: its container', () => {
    const events = rung(
      [step({ port: SHANGHAI }, event())],
      [step({ port: SHANGHAI }, event({ container_number: 'A1' }))],
    )
    expect(typesOf(events)).toEqual(['tracking.event_updated'])
    expect(paths(events)).toEqual([['/tracking_steps/N/events/N/container_number']])
    expect(events[0]?.extras).toMatchObject({
      event: { container_number: 'A1' },
      previous_event: { container_number: null },
    })
  })

  test('is an update where the status became actual, too: it is actualised', () => {
    const known = event({ container_number: 'A1', status: 'actual', date: LATER })
    const events = rung([step({ port: SHANGHAI }, event())], [step({ port: SHANGHAI }, known)])
    expect(typesOf(events)).toEqual(['tracking.event_actualised'])
    expect(paths(events)[0]).toHaveLength(3)
  })

  test.each([
    [{ port: SHANGHAI }, { port: { ...SHANGHAI, unlocode: null } }],
    [{ location: { id: 7, name: 'Yard' } }, {}],
    [
      { location: { id: 7 }, port: SHANGHAI },
      { location: { id: '7' }, port: null },
    ],
    [
      { type: 'departure', port: SHANGHAI },
      { type: null, port: SHANGHAI },
    ],
  ])('is told by the first event of its step: %j', (now, before) => {
    const later = event({ description: 'Departed', date: LATER })
    const events = rung([step(before, event(), later)], [step(now, event(), later)])
    expect(typesOf(events)).toEqual(['tracking.event_updated'])
    expect(events[0]?.extras).toMatchObject({
      event: { description: 'Loaded' },
      previous_event: { description: 'Loaded' },
    })
    expect(paths(events)[0]?.every((path) => !path.includes('events'))).toBe(true)
  })

  test('is told by the event that changed beside it', () => {
    const events = rung(
      [step({}, event(), event({ description: 'Departed', date: LATER }))],
      [step({ port: SHANGHAI }, event(), event({ description: 'Departed', date: LATER, status: 'actual' }))],
    )
    expect(typesOf(events)).toEqual(['tracking.event_actualised'])
    expect(paths(events)[0]).toContain('/tracking_steps/N/port/unlocode')
  })

  test('is an update of the tracking where its step has no events', () => {
    expect(typesOf(rung([step({})], [step({ port: SHANGHAI })]))).toEqual(['tracking.updated'])
  })

  test.each(['CN SHA', 'cnsha', 'CN-SHA'])('is none where a UN/LOCODE is written otherwise: %s', (unlocode) => {
    const before = [step({ port: SHANGHAI }, event())]
    expect(rung(before, [step({ port: { ...SHANGHAI, unlocode } }, event())])).toEqual([])
    const actual = [step({ port: { ...SHANGHAI, unlocode } }, event({ status: 'actual' }))]
    expect(typesOf(rung(before, actual))).toEqual(['tracking.event_actualised'])
  })

  test('goes to the one of equal date first, then in order', () => {
    const one = event({ container_number: 'A1', date: LATER })
    const other = event({ container_number: 'B1' })
    const events = rung([step({ port: SHANGHAI }, event())], [step({ port: SHANGHAI }, one, other)])
    expect(typesOf(events)).toEqual(['tracking.event_updated', 'tracking.event_added'])
    expect(events[0]?.extras).toMatchObject({ event: { container_number: 'B1' } })
    const two = rung(
      [step({ port: SHANGHAI }, event({ date: '2026-04-01T00:00:00Z' }), event({ date: '2026-04-02T00:00:00Z' }))],
      [step({ port: SHANGHAI }, other, one)],
    )
    expect(typesOf(two)).toEqual(['tracking.event_updated', 'tracking.event_updated'])
    expect(two.map(({ extras }) => [extras['previous_event'], extras['event']])).toMatchObject([
      [{ date: '2026-04-01T00:00:00Z' }, { container_number: 'B1' }],
      [{ date: '2026-04-02T00:00:00Z' }, { container_number: 'A1' }],
    ])
  })

  test('goes to the one of which most was known first', () => {
    const events = rung(
      [step({ port: SHANGHAI }, event()), step({}, event())],
      [step({ port: SHANGHAI }, event({ container_number: 'A1' })), step({ port: { unlocode: 'SGSIN' } }, event())],
    )
    expect(typesOf(events)).toEqual(['tracking.event_updated', 'tracking.event_updated'])
  })

  test.each([
    ['goes', event({ container_number: 'A1' }), event()],
    ['becomes another', event({ container_number: 'A1' }), event({ container_number: 'B1' })],
    ['of its description becomes another', event(), event({ description: 'Unloaded' })],
  ])('and a part that %s is another event', (_, before, after) => {
    const events = rung([step({ port: SHANGHAI }, before)], [step({ port: SHANGHAI }, after)])
    expect(typesOf(events).toSorted()).toEqual(['tracking.event_added', 'tracking.event_retracted'])
  })

  test('and a port that becomes another is another event, though its container becomes known', () => {
    const events = rung(
      [step({ port: SHANGHAI }, event())],
      [step({ port: { unlocode: 'SGSIN' } }, event({ container_number: 'A1' }))],
    )
    expect(typesOf(events).toSorted()).toEqual(['tracking.event_added', 'tracking.event_retracted'])
  })

  test('is told by an event that differs in nothing but what is ignored', () => {
    const ignore = ['/tracking_steps/*/events/*/remark']
    const known = detect({ resource: 'tracking', after: tracking(step({}, event())), mode: 'silent', ignore })
    const after = tracking(step({ port: SHANGHAI }, event({ remark: 'seen' })))
    const { events } = detect({ resource: 'tracking', before: known.state, after, day: 2, ignore })
    expect(typesOf(events)).toEqual(['tracking.event_updated'])
    expect(paths(events)[0]?.every((path) => path.startsWith('/tracking_steps/N/port/'))).toBe(true)
  })

  test('is of the step that has an event of equal date, whatever means nothing beside it', () => {
    const events = rung(
      [step({ type: null }, event(), {})],
      [step({ type: null, location: { id: '1' } }, {}), step({ type: 'departure' }, event())],
    )
    expect(typesOf(events)).toEqual(['tracking.event_updated', 'tracking.updated'])
    expect(paths(events)).toEqual([['/tracking_steps/N/type'], ['/tracking_steps/N/location/id']])
  })

  test('is told where another step had the event, too, which then is retracted once', () => {
    const departed = event({ description: 'Departed', date: LATER })
    const events = rung(
      [step({}, event()), step({ port: SHANGHAI }, event(), departed)],
      [step({ port: SHANGHAI }, departed), step({ port: SHANGHAI }, event())],
    )
    expect(typesOf(events)).toEqual(['tracking.event_retracted', 'tracking.event_updated'])
  })

  test('is compared without what is ignored', () => {
    const ignore = ['/tracking_steps/*/port']
    const before = detect({ resource: 'tracking', after: tracking(step({}, event())), mode: 'silent', ignore })
    const after = tracking(step({ port: SHANGHAI }, event({ container_number: 'A1' })))
    const { events } = detect({ resource: 'tracking', before: before.state, after, day: 2, ignore })
    expect(typesOf(events)).toEqual(['tracking.event_updated'])
    expect(paths(events)).toEqual([['/tracking_steps/N/events/N/container_number']])
  })
})
