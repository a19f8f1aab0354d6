import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { baseline, detect } from './reads.ts'

function parse(text: string): JsonObject {
  return JSON.parse(text)
}

function typesOf(before: JsonObject, after: JsonObject, resource: RecordResource = 'shipment'): readonly string[] {
  return detect({ resource, before: baseline(resource, before), after }).events.map((event) => event.type)
}

describe('a hostile record', () => {
  it('has keys like __proto__ compared as data', () => {
    const before = parse('{"__proto__":{"a":1},"constructor":1,"cargo":{"__proto__":2},"toString":"x"}')
    const after = parse('{"__proto__":{"a":2},"constructor":2,"cargo":{"__proto__":3},"toString":"x"}')
    const { events } = detect({ resource: 'shipment', before: baseline('shipment', before), after })
    expect(events.flatMap((event) => event.changes ?? []).map((change) => change.path)).toEqual([
      '/cargo/__proto__',
      '/__proto__/a',
      '/constructor',
    ])
    expect(typesOf(parse('{"x":1}'), parse('{"x":1,"hasOwnProperty":1}'))).toEqual(['shipment.updated'])
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it('is not believed when it is nested too deep', () => {
    const before = baseline('shipment', { status: 'booked' })
    let nested: Json = 1
    for (let depth = 0; depth < 10_000; depth += 1) nested = [nested]
    const { events, state } = detect({ resource: 'shipment', before, after: { status: 'draft', nested }, day: 2 })
    expect(events).toEqual([])
    expect(state.seen).toEqual({ status: 'booked' })
  })

  it('costs no more than its size when it is nested as deep as is believed', () => {
    expect(typesOf(nest(1), nest(2))).toEqual(['shipment.updated'])
  })

  it('has thousands of elements reordered without a change', { tags: 'long' }, () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => ({
      description: `Fee ${index}`,
      price: { amount: index, currency: 'EUR' },
    }))
    expect(typesOf({ lines }, { lines: lines.toReversed() }, 'invoice')).toEqual([])
  })

  it('has thousands of elements edited without stalling', { tags: 'long' }, () => {
    expect(typesOf(loads(1), loads(2))).toEqual(['shipment.cargo_updated'])
    expect(new Set(typesOf(steps(0, 900), steps(1, 1_000), 'tracking'))).toEqual(
      new Set(['tracking.event_updated', 'tracking.event_added']),
    )
  })

  it('has thousands of assignments gained and lost without stalling', { tags: 'long' }, () => {
    const types = typesOf(order(0, 3_000), order(2_000, 3_000), 'purchase_order')
    expect(types.filter((type) => type === 'purchase_order.assigned')).toHaveLength(2_000)
    expect(types.filter((type) => type === 'purchase_order.unassigned')).toHaveLength(2_000)
  })

  it('has other things where objects and arrays belong', () => {
    const odd: readonly Json[] = [
      7,
      'text',
      true,
      [1, [2]],
      { a: { b: [2] } },
      [{ events: 'x' }],
      [{ events: [1, { date: 5 }] }, 9],
      null,
    ]
    for (const value of odd) {
      for (const other of odd) {
        for (const resource of ['shipment', 'tracking', 'invoice', 'purchase_order', 'location'] as const) {
          const { events } = detect({ resource, before: baseline(resource, record(value)), after: record(other) })
          expect(events.length > 0).toBe(JSON.stringify(value) !== JSON.stringify(other))
        }
      }
    }
  })

  it('has numbers beyond 2^53 and out of range', () => {
    expect(typesOf(parse('{"n":1e999}'), parse('{"n":1e999}'))).toEqual([])
    expect(typesOf(parse('{"n":1e999}'), parse('{"n":5}'))).toEqual(['shipment.updated'])
    expect(
      typesOf(parse('{"seal_number":"123456789012345678901"}'), parse('{"seal_number":123456789012345678901}')),
    ).toEqual([])
  })

  it('has amounts that are no decimal numbers', () => {
    expect(typesOf(lines('many'), lines('few'), 'invoice')).toEqual(['invoice.updated'])
    const { events } = detect({
      resource: 'invoice',
      before: baseline('invoice', lines('1e9999')),
      after: lines(1e308),
    })
    expect(events.map((event) => event.type)).toEqual(['invoice.amount_changed'])
    expect(events[0]?.extras['from']).toEqual({ EUR: '2.5' })
  })

  it('has a huge text changed at its end', () => {
    const huge = 'x'.repeat(5_000_000)
    expect(typesOf({ name: huge }, { name: `${huge}y` })).toEqual(['shipment.updated'])
    expect(
      typesOf(
        { cargo: { containers: [{ container_number: huge }] } },
        { cargo: { containers: [{ container_number: huge }] } },
      ),
    ).toEqual([])
  })
})

function nest(leaf: Json): JsonObject {
  let value: Json = leaf
  for (let depth = 0; depth < 60; depth += 1) value = [value, [leaf]]
  return { value }
}

function loads(weight: number): JsonObject {
  return {
    cargo: { loads: Array.from({ length: 3_000 }, (_, count) => ({ count, weight })) },
  }
}

function order(from: number, length: number): JsonObject {
  const assigned = Array.from({ length }, (_, index) => ({ platform_shipment_id: `SHP-${from + index}` }))
  return { purchase_order_lines: [{ reference: 'L1', assigned_order_lines: assigned }] }
}

function event(index: number, minute: number): JsonObject {
  return {
    description: 'Gate in',
    date: new Date(index * 3_600_000 + minute * 60_000).toISOString(),
  }
}

function record(each: Json): JsonObject {
  return {
    status: each,
    main_tracking_dates: each,
    booking_information: each,
    cargo: each,
    tracking_steps: each,
    lines: each,
    due_date: each,
    purchase_order_lines: each,
    contacts: each,
  }
}

function lines(amount: Json): JsonObject {
  return {
    lines: [{ price: { amount, currency: '__proto__' } }, { price: { amount: '2.50', currency: 'EUR' } }],
  }
}

function steps(minute: number, length: number): JsonObject {
  return {
    tracking_steps: [{ type: 'x', events: Array.from({ length }, (_, index) => event(index, minute)) }],
  }
}
