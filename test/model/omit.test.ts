import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { leavesNoChange, withoutOmitted } from '../../src/model/omit.ts'
import { fullPayload } from '../../src/model/payload.ts'
import { formatPointer, parsePointer, resolvePointer } from '../../src/model/pointer.ts'
import { isRecordResource } from '../../src/model/resource.ts'
import { shownIn } from '../../src/model/shown-fields.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { event } from '../route/samples.ts'

function aboutShipment(object: JsonObject, more: Partial<ShipbellEvent> = {}): ShipbellEvent {
  return { ...event('evt_1', 'shipment.updated', { object, ...more }), sequence: 1 }
}

describe('what is left out of a record', () => {
  test.each<[readonly string[], JsonObject, JsonObject]>([
    [['/a'], { a: 1, b: 2 }, { b: 2 }],
    [['/a/b'], { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
    [['/a/*/b'], { a: [{ b: 1, c: 2 }, { b: 3 }] }, { a: [{ c: 2 }, {}] }],
    [['/a/0/b'], { a: [{ b: 1 }, { b: 3 }] }, { a: [{}, {}] }],
    [['/a/*'], { a: [1, 2] }, { a: [] }],
    [['/a/1'], { a: [1, 2] }, { a: [] }],
    [['/*/b'], { a: { b: 1 }, c: { b: 2, d: 3 }, b: 4 }, { a: {}, c: { d: 3 }, b: 4 }],
    [['/a~1b', '/~0'], { 'a/b': 1, '~': 2, c: 3 }, { c: 3 }],
    [['/a/b/c'], { a: { b: 1 } }, { a: { b: 1 } }],
    [['shipment:/a', 'invoice:/b'], { a: 1, b: 2 }, { b: 2 }],
    [['/__proto__'], JSON.parse('{"__proto__": 1, "a": 2}'), { a: 2 }],
  ])('%j of %j is %j', (omit, object, left) => {
    expect(withoutOmitted(aboutShipment(object), omit).object).toEqual(left)
  })

  test('is in no change, and a change of more loses what is in it', () => {
    const changes = [
      { path: '/price', from: 1, to: 2 },
      { path: '/contacts/3/phone', from: '1', to: '2' },
      { path: '/contacts', from: null, to: [{ name: 'A', phone: '2' }] },
      { path: '/note', from: 'a', to: 'b' },
    ]
    const before = { price: 1, note: 'a' }
    const told = withoutOmitted(aboutShipment({ price: 2 }, { changes, before }), ['/price', '/contacts/*/phone'])
    expect(told.changes).toEqual([{ path: '/contacts', from: null, to: [{ name: 'A' }] }, changes[3]])
    expect(fullPayload(told)['data']).toMatchObject({ previous: { contacts: null, note: 'a' } })
  })

  test('alone makes an event of which nothing is left, but not of events without changes', () => {
    const omit = ['/price']
    const changes = [{ path: '/price', from: 1, to: 2 }]
    expect(leavesNoChange(aboutShipment({}, { changes }), omit)).toBe(true)
    expect(leavesNoChange(aboutShipment({}, { changes }), ['invoice:/price'])).toBe(false)
    expect(leavesNoChange(aboutShipment({ price: 1 }, { changes: null }), omit)).toBe(false)
    expect(leavesNoChange(aboutShipment({ price: 1 }, { changes: [] }), omit)).toBe(false)
  })

  test('is null in the summary, whichever record the event is about', () => {
    const invoice = withoutOmitted(sampleEvent('invoice.created'), ['shipment:/name', '/cargo/containers'])
    expect(invoice.shipment).toMatchObject({ name: null, container_numbers: null, id: 'SHP-1' })
    expect(withoutOmitted(sampleEvent('invoice.created'), ['invoice:/name']).shipment?.name).not.toBeNull()
  })

  test('is null in what events say besides, and parts of a record lose it', () => {
    const eta = withoutOmitted(sampleEvent('shipment.eta_changed'), ['/main_tracking_dates/arrival_date/date'])
    expect(eta.extras).toMatchObject({ date_change: null })
    const kept = withoutOmitted(sampleEvent('shipment.eta_changed'), ['/main_tracking_dates/pickup_date'])
    expect(kept.extras['date_change']).not.toBeNull()
    const order = withoutOmitted(sampleEvent('purchase_order.eta_changed'), ['shipment:/main_tracking_dates'])
    expect(order.extras).toMatchObject({ from: null, to: null, order_status: null })
    const container = withoutOmitted(sampleEvent('shipment.container_added'), ['/cargo/containers/*/container_number'])
    expect(container.extras['container']).not.toBeNull()
    expect(container.extras['container']).not.toHaveProperty('container_number')
  })
})

/** The summary goes on saying which shipment it is of. */
const SUMMARY = '"shipment":{"id":"SHP-1"'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type).filter((type) =>
  isRecordResource(sampleEvent(type).subject.resource),
)

/** What no field of a record is in: ids of events and what rules and the clock say. */
const OF_NO_FIELD =
  'at because by corrects expectation late_by lead milestone reason severity shipments unknown content_url'.split(' ')

test.each(TYPES)('whatever is left out of a sample of %s is nowhere in its data', (type) => {
  const sample = sampleEvent(type)
  const unknown = Object.keys(sample.extras).filter((name) => shownIn(type, name, sample.extras).length === 0)
  expect(OF_NO_FIELD).toEqual(expect.arrayContaining(unknown))
  for (const [pointer, value] of leavesOf(sample.object ?? {})) {
    const text = JSON.stringify(value)
    if (text.length < 5 || value === sample.subject.id) continue
    const left = withoutOmitted(sample, [pointer])
    const ofOthers = sample.subject.resource === 'shipment' ? null : { ...sample.shipment, id: '' }
    // Another field may say the same word.
    if (JSON.stringify([left.object, left.before, ofOthers]).includes(text)) continue
    const data = JSON.stringify(fullPayload(left)['data']).replace(SUMMARY, '')
    expect(data.includes(text), `${pointer} is ${text}, and still in ${data}`).toBe(false)
  }
})

function leavesOf(value: Json, tokens: readonly string[] = []): readonly (readonly [string, Json])[] {
  if (isJsonArray(value)) return value.flatMap((each) => leavesOf(each, [...tokens, '*']))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...tokens, name]))
  return [[formatPointer(tokens), value]]
}

const NAME = fc.constantFrom('a', 'b', '0', 'x/y', '~')
const RECORD: fc.Arbitrary<JsonObject> = fc.letrec<{ value: Json; record: JsonObject }>((tie) => ({
  value: fc.oneof(fc.constantFrom(null, 1, 'text'), fc.array(tie('value'), { maxLength: 3 }), tie('record')),
  record: fc.dictionary(NAME, tie('value'), { maxKeys: 4 }),
})).record

test('whatever is left out is not there, and leaving it out once more changes nothing', () => {
  fc.assert(
    fc.property(RECORD, fc.array(fc.array(NAME, { minLength: 1, maxLength: 3 }), { minLength: 1 }), (record, ways) => {
      const omit = ways.map(formatPointer)
      const once = withoutOmitted(aboutShipment(record), omit)
      for (const pointer of omit.filter((each) => parsePointer(each).length > 0))
        expect(resolvePointer(once.object, pointer)).toBeUndefined()
      expect(withoutOmitted(once, omit).object).toEqual(once.object)
    }),
  )
})
